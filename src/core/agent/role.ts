/** Who an agent is for one attempt (R-DEL-2): the value of `SPECLOOP_ROLE`. */
export type Role = 'executor' | 'verifier' | 'reviewer';

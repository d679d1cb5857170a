/** What asks a run to stop in order (R-UX-3, R-DEL-6). */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

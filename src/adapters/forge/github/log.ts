const TIMESTAMP = /^\ufeff?\d{4}-\d\d-\d\dT[\d:.]+Z /gm;
const FAILURE = '##[error]';

/**
 * The last part of the log of a job, at most so many characters, without the time before each line. It ends with the last
 * line that is marked as an error, if there is one: what a job cleans up afterwards tells nothing of its failure.
 */
export function endOfLog(log: string, charsMax: number): string {
  const text = log.replace(TIMESTAMP, '');
  const failure = text.lastIndexOf(FAILURE);
  const lineEnd = failure < 0 ? -1 : text.indexOf('\n', failure);
  const told = lineEnd < 0 ? text : text.slice(0, lineEnd);
  return told.slice(-charsMax).replace(/^[\udc00-\udfff]/, '');
}

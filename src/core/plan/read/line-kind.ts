/**
 * What a line is. Only a `text` line can hold a heading, a box or a field. `wrapper` is the fence around a whole file;
 * the other kinds begin inside a code fence, an HTML comment, or a code span from a line above (R-READ-2).
 */
export type LineKind = 'text' | 'fence-open' | 'fence-body' | 'fence-close' | 'comment' | 'span' | 'wrapper';

const OPENER = /<<-?[ \t]{0,9}(["']?)([A-Za-z_]\w{0,40})\1/;
const WORD_LINE = /^[ \t]{0,40}([A-Za-z_]\w{0,40})[ \t]{0,9}$/;

/** The word that ends the here-document which a line of a shell command opens, as `EOF` of `<<'EOF'`. */
export function hereDocumentWord(line: string): string | undefined {
  return OPENER.exec(line)?.[2];
}

/** The word a line consists of, if it may end a here-document. */
export function wordOfLine(line: string): string | undefined {
  return WORD_LINE.exec(line)?.[1];
}

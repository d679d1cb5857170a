import { onlySpan, spanText, type TickSpan, tickSpans } from './code-spans.ts';
import { type FieldPlace, firstValue, listItems, restOfValue, type Source } from './fields.ts';

/** The paths of a *Files* field. */
export interface FilesValue {
  readonly files: readonly string[];
  /** Whether the field names a path or says "None". */
  readonly filesKnown: boolean;
}

const NO_PATHS = String.raw`(?:none|n/a|nothing|no (?:files?|changes?|code)|no$|-|–|—)(?![\w/-])`;
const NONE = new RegExp(`^${NO_PATHS}`, 'i');
/** The same after marks that a value may begin with. */
const SAYS_NONE = new RegExp(`^[\`*_"(]*${NO_PATHS}`, 'i');
const LABEL = /^(?:create|modify|delete|update|add|edit|new|remove|rename|move|change|test|read|touch)d?[ \t]*:[ \t]*/i;
const LINE_RANGE = /(?::\d+(?:[-–:,]L?\d+)*|#L\d+(?:-L?\d+)?)$/;
const BARE_NAMES =
  /^(?:Makefile|GNUmakefile|Dockerfile|Containerfile|Procfile|Gemfile|Rakefile|Jenkinsfile|Vagrantfile|Justfile|Brewfile|LICENSE|README|CHANGELOG|CODEOWNERS|NOTICE|VERSION)$/;
const HAS_EXTENSION = /^[^\s]*[\w*}\])]\.[A-Za-z*][\w*{},-]{0,11}$/;
const KNOWN_EXTENSION =
  /\.(?:[cm]?[jt]sx?|json[5cl]?|ya?ml|toml|ini|cfg|conf|env|lock|md|mdx|rst|txt|csv|tsv|sql|prisma|graphql|gql|proto|html?|css|s[ac]ss|less|svg|png|jpe?g|vue|svelte|astro|py|pyi|ipynb|rb|erb|rs|go|java|kts?|gradle|scala|swift|m|mm|plist|xcconfig|storyboard|xib|pbxproj|c|cc|cpp|cxx|h|hh|hpp|cs|csproj|sln|fs|vb|php|pl|lua|ex|exs|erl|hs|ml|clj|dart|r|jl|zig|nim|sh|bash|zsh|fish|ps1|bat|cmd|bats|tf|tfvars|hcl|nix|xml|snap|tmpl|tpl|j2|template|example|gitignore|dockerignore|editorconfig)$/i;
/** Product names that look like files. */
const PRODUCT =
  /^(?:node|next|nuxt|vue|react|express|three|d3|chart|discord|socket|alpine|ember|backbone|moment|asp|nest|p5|babylon|pdf|core|handlebars)\.(?:js|io|net|ts)$/i;
/** Longer lines are cut, or, as titles, not searched for paths. */
const LONGEST = 8_000;

/** Reads the paths of *Files*; without that field, those the title names (R-READ-13). */
export function readFiles(source: Source, field: FieldPlace | undefined, title: string): FilesValue {
  if (field === undefined) return { files: filesInTitle(title), filesKnown: false };
  const first = firstValue(source, field);
  if (SAYS_NONE.test(first)) return { files: [], filesKnown: true };
  const items = listItems(source, restOfValue(source, field));
  const paths = items.length === 0 ? pathsOf(first) : [first, ...items].flatMap(pathsOf);
  return { files: paths.length < 2 ? paths : [...new Set(paths)], filesKnown: paths.length > 0 };
}

/** What a reader of `in src/a.ts` would open. */
export function filesInTitle(title: string): readonly string[] {
  if (!/[./]/.test(title) || title.length > LONGEST) return [];
  const files = new Set<string>();
  for (const word of title.split(/[\s`,;"'“”]+/)) {
    const path = withoutRange(word.replace(/^[([<*]+/, '').replace(/[)\]>*:.!?]+$/, ''));
    if (namesFile(path)) files.add(path);
  }
  return [...files];
}

function namesFile(word: string): boolean {
  if (word === '' || /[()=<>|$\\]|:\/\/|^[@#-]|\.\.\.|^\/[^/]*$/.test(word) || PRODUCT.test(word)) return false;
  if (word.endsWith('/')) return /^\.?[\w.-]+\/./.test(word) && /^[\w./@-]+$/.test(word);
  const name = word.slice(word.lastIndexOf('/') + 1);
  return KNOWN_EXTENSION.test(name) && (name.startsWith('.') || !/^[.*]*$/.test(name.slice(0, name.lastIndexOf('.'))));
}

function pathsOf(item: string): readonly string[] {
  const only = item.length > LONGEST ? undefined : onlySpan(item);
  if (only !== undefined) return spanPaths(only.trim());
  const text = item
    .slice(0, LONGEST)
    .replace(/^\[[ xX~-]\][ \t]+/, '')
    .replace(/^\*\*([^*]+)\*\*/, '$1')
    .replace(LABEL, '');
  return splitList(text).flatMap((part) => {
    const spans = tickSpans(part, 0, part.length).filter((span) => span.kind === 'closed');
    return spans.length === 0 ? barePaths(part) : mixedPaths(part, spans);
  });
}

/** The paths in code spans, and those that `and` joins to them. */
function mixedPaths(part: string, spans: readonly TickSpan[]): readonly string[] {
  const paths: string[] = [];
  let from = 0;
  for (const span of spans) {
    if (span.kind !== 'closed') continue;
    paths.push(...joinedPaths(part.slice(from, span.start)), ...spanPaths(spanText(part, span).trim()));
    from = span.end;
  }
  return [...paths, ...joinedPaths(part.slice(from))];
}

function joinedPaths(text: string): readonly string[] {
  const bare = text.trim().replace(/^(?:and|or|→|->|=>)[ \t]+|[ \t]+(?:and|or|→|->|=>)$/gi, '');
  return bare === '' || bare === text.trim() ? [] : barePaths(bare);
}

/** A span is a path as it is, spaces included; a list inside one span is still a list. */
function spanPaths(text: string): readonly string[] {
  if (text === '' || text.startsWith('{{') || NONE.test(text)) return [];
  const parts = splitList(text);
  if (parts.length > 1) return parts.flatMap(barePaths);
  const path = withoutRange(text);
  return !/\s/.test(path) || isPathLike(path) || HAS_EXTENSION.test(path.replaceAll(' ', '_')) ? [path] : [];
}

function barePaths(part: string): readonly string[] {
  const noted = cutNote(part.replace(LABEL, ''));
  const words = noted
    .split(/\s+(?:and|or|→|->|=>)\s+|\s+/)
    .map((word) => withoutRange(word.replace(/^["'*_]+|["'*]+$/g, '').replace(/[.,:]$/, '')));
  const paths = words.filter(isPathLike);
  return paths.length === words.length || words.length === 1 || /\s(?:and|or|→|->|=>)\s/.test(noted)
    ? paths
    : pathsBeforeWords(words);
}

/** `src/a.ts new helper` names the path; `various view files` names none. */
function pathsBeforeWords(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => !isPathLike(word));
  return words.slice(0, end);
}

/** Cuts a note in parentheses or after a dash. */
function cutNote(text: string): string {
  const note = text.search(/[ \t]\(|^\(|[ \t][-–—][ \t]/);
  return (note < 0 ? text : text.slice(0, note)).trim();
}

/** Whether a word without spaces can be nothing but a path or a glob. */
function isPathLike(word: string): boolean {
  if (word === '' || word.startsWith('{{') || /[\s<>|"]|:\/\//.test(word)) return false;
  return (
    /[/\\]./.test(word) ||
    word.endsWith('/') ||
    HAS_EXTENSION.test(word) ||
    /^\.\w[\w.-]*$/.test(word) ||
    BARE_NAMES.test(word)
  );
}

function withoutRange(path: string): string {
  return path.replace(LINE_RANGE, '');
}

/** Cuts at commas and semicolons outside of code spans, braces and parentheses. */
function splitList(text: string): readonly string[] {
  if (!/[,;]/.test(text)) return text.trim() === '' ? [] : [text.trim()];
  const parts: string[] = [];
  const spans = tickSpans(text, 0, text.length).filter((span) => span.kind === 'closed');
  let span = 0;
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const inside = spans[span];
    if (inside?.kind === 'closed' && inside.start === at) {
      at = inside.end - 1;
      span++;
      continue;
    }
    const mark = text[at] ?? '';
    if ('({['.includes(mark)) depth++;
    else if (')}]'.includes(mark)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && (mark === ',' || mark === ';')) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

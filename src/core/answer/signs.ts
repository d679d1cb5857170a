import { DESIGN_FILE } from '../spec-files.ts';
import { MASK, WEAKENING_MASK } from './own-words.ts';

/** A way of saying that something is missing (R-VER-11). */
export interface Sign {
  readonly pattern: RegExp;
  /** Tells of what the agent did or wants, which stays so however things are by now. */
  readonly ofDeed?: true;
  /** What, in the sentence or the one that follows, makes it harmless. */
  readonly unless?: RegExp;
  /** What, in the same clause, denies it. */
  readonly denial?: RegExp;
  /** Reviewers say it of their own work too; the other signs are what they look for in that of others. */
  readonly ofReviewer?: true;
}

const either = (...parts: readonly string[]): string => `(?:${parts.join('|')})`;
const sign = (parts: readonly string[], more: Omit<Sign, 'pattern'> = {}): Sign => ({
  pattern: new RegExp(either(...parts), 'gi'),
  ...more,
});

const NOT = "(?:n['’]t| not| never)";
const CODE = MASK;
const WEAKENING = WEAKENING_MASK;

/** It was meant to be so: a test that has to fail, a check of an error. */
const EXPECTED =
  /\bas (?:it |they )?(?:should|expected|required|intended|asked|demanded|designed|specified|requested|wanted|planned|the (?:task|step|plan|design|spec)|(?:this|that) (?:task|step))|\bas R?[A-Z]*-?\d+|\bexpected to\b|\bwould (?:\w+ ){1,4}otherwise\b|\b(?:watched|saw|see) (?:it|them|the tests?) fail|\btests? (?:that )?(?:simulate|provoke|inject|prove)s?\b|on purpose|intentional|deliberate|by design|(?:should|must|has to|have to) fail|\bred (?:phase|step)|\bred (?:while|until)\b|\[RED\]|\bfailing tests? (?:for|that|first|which|▪ (?:for|\(RED))|that this step asks|an acceptance criterion|before the (?:route|code|change)/i;
/** It was so, and is right by now. */
const RESOLVED =
  /\b(?:now|again) (?:pass|work|green|succe|fine|ok|exit|runs?\b|clean)|\b(?:pass(?:es|ed)?|works?|green|fine|clean|ok|right) (?:now|again|afterwards)|\bare (?:both |all )?green now|\bturns green\b|\bthere now\b|\b(?:is|was|has been|are|were|have been) (?:fixed|corrected|repaired|resolved|solved)|\bI (?:then )?(?:fixed|corrected|repaired|resolved|solved)|then fixed|\bfixed it\b|went through|second (?:try|run|attempt)|afterwards|\b(?:pass(?:es)?|succeeds?|works?) (?:with (?:it|the (?:fix|change))|after (?:it|the (?:fix|change)))\b|all pass\b|ran all checks again|\b(?:removed|changed|replaced|updated|added) (?:it|that|them), |\bno longer\b|\bused a \w+ as\b|\bso I (?:used|took|chose|switched|went|declared|wrote|added|implemented|migrated|fixed|replaced|moved|installed|started|built|made|created|ported)\b(?!.*(?:\b(?:mock|stub|fake|dummy|placeholder|hard-?coded|skip|catch|less|only|note|no|expected)|▫))|instead,? (?:and|which)/i;
/** Told of the time before. */
const BEFORE =
  /^first I\b|\bbefore: [^.]*\bafter:|\b(?:(?:was|were) (?:failing|broken|red|crashing|hanging|timing out)(?! when I)|at first|initially|first (?:one|run|approach|try|attempt)|previous(?:ly)?|used to|yesterday|when I began|agent before me|previous agent|last (?:attempt|run|round)|old (?:code|behaviou?r)|that (?:previously )?failed before)\b/i;
/** What was looked for, which is not what was found. */
const SOUGHT =
  /\b(?:looked|searched|scanned|checked|grepped) for\b(?!.*\b(?:but|could|however)\b)|\bthere (?:is|are|was|were) none\b|\bfound none\b|\bmade sure\b/i;
/** Not asked for here. */
const ELSEWHERE =
  /\bout of (?:the |this task['’]s |its )?scope|outside (?:of )?(?:the |this )?(?:scope|task)|not (?:a )?part of (?:this|the) (?:task|change)|\b(?:is|are|to|for|in|by|with) (?:a |the )?(?:later |next |own )?task \d|non-goals?\b|\blisted (?:in|as|by)\b|pre-?existing|was there before|\bbelongs? to (?:a |the )?(?:(?:later|next|other) )?(?:task|phase|step|spec)\b|(?<!\b(?:which|that|what|though|although|where|than) )\b(?:the|this) (?:task|plan|step|design|requirement)s? (?:itself |only |also |explicitly |deliberately )?(?:says?|asks?|lists?|wants?|requires?|forbids?|excludes?|names?|targets?|demands?|fixes|keeps|leaves|changes|replaces|renames|removes|adds|moves)|\b(?:the other|another) tasks?\b|\b\d+\.\d+ (?:does|adds|covers|handles)\b|\btask \d[\d.]* (?:asks|says|wants|covers)|\brequirement \d|\bR\d+ (?:asks|says)/i;

const any = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), 'i');

const PARTICIPLES =
  'done|implemented|finished|completed?|covered|handled|tested|verified|checked|run|executed|included|wired|connected|supported|started|added|written|exercised|working|ready|migrated|translated|updated|applied|deployed|integrated|validated|reached|met|fixed|green|passing|satisfied|measured|built|reviewed|enforced|there yet|possible|available|installed|reachable|accessible';
const CHECK =
  '(?:tests?|suites?|specs?|builds?|lint(?:er|ing)?|type ?check(?:er|s)?|checks?|verification|pipeline|CI|verify(?: command)?|gates?|CI jobs?|assertions?|criteri(?:on|a)|test cases?|e2e)';
/** What a task consists of, as opposed to what the product does. */
const WORK =
  '(?:steps?|parts?|tasks?|requirements?|criteri(?:on|a)|AC-?[\\d.]+|N?FR-?\\d+|features?|implementation|error handling|validation|documentation|docs|tests?|migration|logic)(?: \\d[\\d.]*)?';
const NUMBER = '(?:[1-9]\\d*|one|two|three|four|five|six|several|some|a few|a couple of|both|many)';
const RED =
  '(?<!\\b(?:an?|each|any|every) )(?:fail(?:s|ed|ing|ures?)?|broken|red|times? out|timed out|crash(?:es|ed|ing)?|hangs?)';
const PERSON =
  '(?:you|someone|somebody|anyone|a (?:human|person|maintainer|developer|designer|translator|lawyer|native speaker|colleague)|an? (?:admin(?:istrator)?|owner|operator)|the (?:team|maintainers?|key holder|customer)|ops|legal|security)';
const OWN_HAND =
  /\bcan (?:\w+ ){1,6}by hand\b|(?<!\bbe )\b\w+ed (?:\w+ ){0,3}by hand\b|^(?:Tried|Checked|Tested|Clicked|Verified|Opened|Went|Ran|Walked|Compared) |(?:^|[.:;] )(?:an?|any|each|every) \w+(?: [\w,]+){0,3} (?:needs|requires|awaits|waits)\b|\bI(?:['’]ve| have)? (?:also )?(?:\w+ed|ran|read|saw|went|looked|did|wrote)\b|\bwould (?:otherwise )?have\b|\bhow to\b|\bno longer\b|\bused to\b/i;

/** English. In the order in which they are looked for; which of them fits says nothing. */
export const ENGLISH_SIGNS: readonly Sign[] = [
  // What the agent could not do.
  sign(
    [
      `\\b(?:I|we)(?:['’](?:ve|d|m|re))?(?: have| had| was| were| am| are)?(?: \\w+ly)?(?: also| still| simply| just| only)? (?:could${NOT}|can(?:not| not|['’]t)|(?:was|were|am|are|been)${NOT} (?:been )?(?:able|allowed|in a position)|not (?:able|allowed)|unable|failed to|did${NOT} (?:manage|succeed|get|have (?:access|permission))|had no (?:way|access|means|permission|network|chance|time|tool)|ha(?:ve|d)${NOT} been able|only had time|got stuck|gave up|had to give up|ran out)\\b(?! (?:need|have to|find (?:any|a|another|other|more)|see any|spot|think of|detect))`,
      `\\b(?:could|can)(?:not| not|n['’]t|['’]t) (?:yet )?be (?:run|ran|executed|tested|verified|checked|completed|finished|implemented|reproduced|installed|started|reached|built|done|automated|confirmed|measured|migrated|applied)\\b`,
      `\\b(?:unable to|impossible|not possible|no way (?:to|of)|not feasible|permission denied|(?<!\\b(?:that|who|which) )(?:ran|running|run) out of (?:time|context|budget|tokens))\\b`,
      `\\b(?:there(?:['’]s| is| was| are)|I have|we have|I had|with) no (?:[\\w-]+ ){0,3}?(?:here|available|(?:in|for) (?:this|my|the) (?:environment|session|sandbox|machine|container))\\b`,
      `\\blacks? (?:the )?(?:rights|permissions?|access|credentials)\\b`,
    ],
    { unless: new RegExp(`as ${DESIGN_FILE}|no step|nothing`, 'i'), ofReviewer: true },
  ),
  // What is not done.
  sign(
    [
      `\\b(?:is|are|was|were|has|have|had|been)${NOT}(?: (?:yet|been|fully|quite|really|completely|entirely|actually|even|all))* (?:${PARTICIPLES})\\b`,
      `(?:n['’]t|\\b(?:not|nothing|none|no one|nobody))\\b[^.;,]{0,40}\\byet\\b|\\bwithout being able\\b|\\b(?:is|are)${NOT} (?:on|in) (?:this|my|the) (?:machine|system|environment|sandbox|container)\\b|\\bcould${NOT} be (?:${PARTICIPLES})\\b|\\bdone what I could\\b|\\bstopping here\\b|^what (?:remains|is left|is missing|['’]s left)\\b`,
      `\\b(?:${WORK})\\b[^.;,:]{0,40}?\\b(?:(?:is|are|was|were|could|has been|have been)${NOT}|can(?:not|['’]t)) (?:be )?(?!need|requir|necess|affect|touch|chang|expect|used|suppos|meant|enabl|allow|block|failed|broken)(?:\\w+ed|done|run|met|built|written|there)\\b`,
      `(?:^|[,;:(] |\\bbut )(?:could|can)${NOT} \\w+|\\bcould only\\b|\\bto follow[.!]?$|\\bn/t\\b`,
      `\\b(?:is|are|stays?) (?:now )?without (?:tests?|validation|documentation|docs|error handling|any|a |an )|\\bas far as\\b|\\bno time (?:left|for|to)\\b|\\bambiguous\\b|\\b\\d+ instead of \\d+\\b|\\bto be (?:handled|fixed|done|addressed|added|implemented)\\b`,
      `\\b(?:tell|say|know|see|show) (?:whether|why)\\b`,
      `\\b(?:AC-?|N?FR-?|steps? )[\\d.]*\\d[ :–—-]*(?:skip|pending|open|to ?do|blocked|partial|fail)`,
      `\\b(?:snag|no luck|modulo|rough edges|reservations?|shortcuts?|quick and dirty|kludge|hacky|(?:first|rough|initial) draft|polishing)\\b`,
      `\\bnot (?:yet|fully|completely|entirely|quite|all)\\b`,
      `\\bdid${NOT} (?:yet )?(?:do|implement|finish|complete|handle|cover|migrate|port|get (?:to|round|around)|(?:add|write|include)(?: an?| any| the| new| more)*(?: \\w+)? (?:tests?|checks?|assertions?))\\b`,
      `\\bnever (?:ran|run|tested|executed|exercised|verified|checked|invalidated|finished|called)\\b`,
      `\\bunfinished(?! (?!work|steps?|parts?|items?|tests?|code|migration|implementation)[a-z]+s?\\b)\\b|\\b(?:untested|unverified|unimplemented|half[- ](?:done|finished|way|baked)|partially|partly|partial (?:implementation|solution|fix|work)|mostly (?:done|complete|works?|finished|working|green|fine|ok|passing)|almost (?:done|there|complete|finished|everything|all)|nearly (?:done|there|complete|finished))\\b`,
      `(?<!\\bwhat )\\b(?:is|are|was|remains?) (?:still )?(?:incomplete|missing|outstanding|open|unresolved|pending(?=[.!]|$))(?![\\w-])`,
      `\\b(?:is|are|was|were|does|do|did|has|have)(?: not|n['’]t)(?: yet)?[.!]*$`,
      `\\bstill (?:to (?:be )?\\w+|open|missing|undone|outstanding|pending|unresolved|broken|failing|fails?|throws?|needs?|has to|have to|red|reports?|shows?|crash(?:es)?|lacks?|wrong|in \\w+|only)\\b`,
      `\\b(?:left|remains?|remaining) to (?:be )?\\w+`,
      `\\b(?:remaining|outstanding|unfinished|open) (?:work|steps?|items?|tests?|parts?|points?|criteri(?:on|a))\\b(?!:? (?:all |\\d+ )?(?:tests )?(?:pass|are green|ok))`,
      `\\bnot (?:green|passing|reached|met|satisfied|implemented|done|finished|tested|run|executed|verified|written|covered|handled)\\b`,
    ],
    { unless: /\bopen points?: (?:none|0)/i },
  ),
  // What was put off.
  sign(
    [
      `\\b(?:deferred (?:to|until|for|it|this|that|the)|(?:I|we)(?:['’]ve| have)? (?:deferred|postponed|omitted|skipped|dropped|left|put off|punted)|(?:is|are|was|were|been) (?:deferred|postponed|omitted|left out|put off|punted|left for)|put off|punt(?:ed|ing) on|as a stopgap|left (?:it|this|that|them|the \\w+(?: \\w+)?) (?:out|for|as|open|undone|to you)|leav(?:e|ing) (?:it|this|that|them|the \\w+(?: \\w+)?|which) (?:out|for|as|open|to))\\b`,
      `\\bskipp(?:ed|ing) (?:the|this|that|these|one|two|three|\\d+|it|them|AC|steps?|some|most)\\b|\\b(?:tests?|checks?|steps?|cases?|criteri(?:on|a)|AC-?[\\d.]+|one|two|\\d+|lint|it) (?:is|was|are|were|been|got) skipped\\b`,
      `\\b(?:for now|for the moment|at this (?:point|stage)|at present|so far|at the moment|for the time being|temporarily|temporary (?:fix|solution|hack|measure|value|implementation)|provisionally|in the meantime|work in progress|on hold|in spirit|close enough|good enough)\\b`,
      `\\b(?:in|as|for|to|with) an? (?:separate|later|future|follow-?up|different|second|next|subsequent) (?:change|PR|pull request|commit|step|pass|iteration|ticket|issue|run|session)\\b|\\bfor (?:another|the next) (?:session|run|time|day|iteration|PR)\\b|\\b(?:in|for|as) (?:a |the )?follow-?ups?\\b|\\bcomes? (?:in|with) (?:a|the) (?:next|later|following|second) \\w+|\\b(?:will|can|could|has to|have to|needs? to) be (?:added|implemented|done|finished|completed|written|wired|addressed|ported|required|needed) (?:if|later|next|soon|afterwards|separately|in|by|with|when|once|after)\\b|\\b(?:comes?|follows?|done|added|handled|fixed) (?:later|next)\\b|\\b(?:next|later),? I\\b|\\bonce (?:the|we|I|there)\\b[^.;]{0,30}\\b(?:is there|are there|have|has|exists?|arrives?|available)\\b`,
      `\\b(?:I|we)(?:['’]ll| will| would|['’]d(?! \\w+(?:ed|en|ne|wn)\\b)| am going to| plan to| intend to| want to)\\b(?! (?:have|otherwise have))`,
      `\\bneeds? (?:to be|more|further|additional|some) \\w+|\\bwould (?:need|have (?:taken|needed|required|been too))\\b|\\bwill be (?:required|needed|necessary)\\b|\\bleav(?:e|ing) [^.;]{1,40} (?:for|to) (?:the next|a later|another|others?|someone|somebody|you)\\b|\\b(?:will|can|could) be \\w+(?: in| up)? once\\b|\\btoo (?:risky|complex|complicated|hard|difficult|much (?:work|effort))\\b|\\brefrained\\b|\\bready (?:to be|for) test(?:ed|ing)\\b|\\bsimplified the (?:requirement|task|spec|design)\\b`,
      `\\b(?:is|are) not (?:a )?part of this\\b`,
    ],
    {
      ofDeed: true,
      unless:
        /\bno step\b|\bif the user\b|\bleft (?:it|them) in\b|\bleft [^.;,]{1,40} (?:alone|in place|as (?:it|they) (?:is|are|was|were))\b/i,
    },
  ),
  { pattern: /: (?:FAIL|FAILED|RED)\b/g },
  {
    pattern: /\b(?:TODOs?(?! (?:apps?|lists?|items?|boards?|APIs?|endpoints?|models?|comments?))|FIXME|TBD|WIP)\b/g,
    unless: ELSEWHERE,
  },
  // What only stands in for the real thing.
  sign(
    [
      `\\bstubbed\\b|\\bmocked out\\b|\\bhard-?coded\\b|\\bnot implemented\\b|NotImplemented|\\bno-?op\\b|\\blorem ipsum\\b|\\bonly (?:simulated|mocked|stubbed|faked|pretends?)\\b|\\bsimulated\\b(?! (?:with|by|using|in)\\b)`,
      `\\b(?:is|are|as|returns?|with|only|just|still|contains?|has|have|left|behind|a|the) (?:an? |the |some |only |just |still )?(?:\\w+ )?(?:stubs?|placeholders?|dumm(?:y|ies)|fakes?)\\b(?! (?:text|attribute|image|timers?|server|clock|data|API|service))`,
      `\\b(?:returns?|gives?) (?:a |an |the )?(?:fixed|constant|static|made-?up|fake|dummy|empty|hard-?coded) (?:value|result|list|object|response|answer|data)`,
      `\\bempty (?:function |method |test )?bod(?:y|ies)\\b|\\b(?:simplified|basic|minimal|naive|reduced|stripped-down|(?<!\\bthe )first) (?:version|implementation|variant|cut)\\b|\\bonly (?:the )?happy path\\b|\\b(?:implemented|wrote|covers?) the happy path\\b|\\bworkaround\\b`,
    ],
    {
      ofDeed: true,
      unless: any(
        ELSEWHERE,
        /\btest(?:ed|s|ing)? [^.]{0,20}(?:with|against) (?:an? )?(?:fake|dummy|stub)|\btests? (?:use|helper|double)|(?:in|for) (?:the |its )?tests?\b|\bspecs\b|fixture|\bremoved|removes|replaced|replaces|gone\b/i,
      ),
    },
  ),
  // A check that was made weaker.
  sign(
    [
      `\\b(?:disabling|switching off|turning off|commenting out|excluding|relaxing)\\b[^.;]{0,40}\\b(?:${CHECK}|rules?|strict|hooks?|coverage)\\b|\\b(?:disabled|commented out|relaxed|loosened|weakened|muted|silenced|suppressed|bypassed|excluded|quarantined|turned off|switched off|ignored|deactivated|excused|skipped)\\b(?:(?!\\b(?:and|but|when|if)\\b)[^.;]){0,60}\\b(?:${CHECK}|rules?|thresholds?|hooks?|warnings?|errors?|coverage|validation|strict)\\b`,
      `\\b(?:${CHECK}|(?:type|lint|compiler) errors?)\\b[^.;]{0,30}\\b(?:disabled|commented out|relaxed|loosened|weakened|muted|silenced|suppressed|bypassed|quarantined|turned off|switched off)\\b`,
      `\\b(?:removed|deleted|dropped)\\b (?:the |a |an |this |that |these |one |two |\\d+ )?(?:failing|flaky|red|broken|slow|offending|strict|problematic)\\b`,
      `\\b(?:removed|deleted|dropped) (?:the |a |an |this |that |these |one |two |\\d+ )?(?:[\\w-]+ ){0,2}(?:tests?|assertions?|checks?)\\b`,
      `\\b(?:lowered|reduced|relaxed|raised|increased)\\b[^.;]{0,40}\\b(?:threshold|coverage|limit|gate|timeout|tolerance|from \\d+|to \\d+)\\b|\\blowered (?:it|them|that|this)\\b|\\b(?:took|cut) (?:it|them|that|this) out\\b`,
      `\\b(?:changed|adjusted|edited|updated|adapted|set|replaced|aligned)\\b (?:the |its |their |a |an )?(?:failing |wrong )?(?:expected|expectations?|assertions?|golden|snapshots?)\\b`,
      `\\b(?:changed|edited|replaced|rewrote|adjusted|modified|overrode) (?:the |its |our )?(?:verify|verification|test|check|lint|build|CI)(?: command| script| step| job| config| rule)s?\\b`,
      `\\btests? (?:only (?:assert|check|verify|cover)|(?:assert|check|verify|cover)s? only)s?\\b|\\b(?:tests?|assertions?|checks?)\\b[^.;]{0,10} so that (?:it|they) (?:no longer|do(?:es)?${NOT}|only)\\b|\\b(?:less strict|looser|more lenient|more tolerant)\\b|\\bI ignored\\b|\\bI stopped (?:at|after|here|before|there|short|because|when)\\b|\\bI (?:stopped|aborted|cancell?ed|interrupted|killed) (?:it|them|the (?:run|suite|tests?|build))\\b`,
      `\\bmarked\\b[^.;]{0,40}\\b(?:as (?:flaky|todo|skipped|pending|expected|known|xfail)|with)\\b`,
      `\\b(?:added|used|with|put)\\b[^.;]{0,20}(?:eslint-disable|ts-ignore|noqa|no-verify|xfail)`,
      `\\b(?:to|so(?: that)?)\\b[^.;]{0,20}\\b(?:suite|tests?|it|it['’]s|build|CI|check|verify)(?: is| are)? (?:goes |go |turns? |stays? )?(?:green|passes|pass|quiet)\\b`,
      `\\b(?:to (?:unblock|get past|silence|satisfy|work around)|despite|regardless of|consider(?:ed)? (?:it|that|this) (?:passed|done|fine))\\b`,
      `\\b(?:added|used|put|set|wrapped|marked|with|inserted|appended|by|to|returns?|runs?)\\b[^.;]{0,20}${WEAKENING}(?! to the (?:list|table|docs|page|words))`,
      `\\b(?:added|used|put)\\b[^.;]{0,12}${CODE} (?:to|on|for|above) (?:the )?(?:function|line|file|test|rule|class|method)\\b`,
    ],
    { ofDeed: true, unless: /\bthe task lists\b/i },
  ),
  // A check that is red.
  sign(
    [
      `\\bthere (?:is|are) (?:an?|one|two|some) (?:\\w+ )?(?:regressions?|bugs?|problems?)\\b|\\bgets? (?:killed|stuck)\\b`,
      `(?<!\\b(?:after|than|to|every|most|least) )\\b${NUMBER}(?: (?:of|out of) (?:the )?\\w+)?(?: [\\w-]+){0,2}? ${RED}\\b(?! (?:paths?|modes?|cases?|handling|over|back|fast|closed|silently|when|if|unless)\\b)`,
      `(?<!\\b(?:after|than|to|every|most|least) )\\b${NUMBER} (?:[\\w-]+ )?errors?\\b|\\b(?:reports?|shows?|has|have|(?:build|compile|end|finishe?|exit|pas|run)s? with|are|were|remain(?:ing)?|leaves?) (?:some |several |a few |many |type |lint |old )*(?:errors|failures)\\b`,
      `\\b${CHECK}\\b(?:(?!\\b(?:without|no|not|never|zero|none)\\b)[^.;|:,]){0,40}?\\b(?:${RED}|(?:does|do|did)${NOT} (?:pass|work|start|compile|build)|(?:is|are|was|were)${NOT} (?:pass\\w*|green))\\b(?! (?:when|if|unless|on|with a)\\b)`,
      `\\bAC-?[\\d.]*\\d:? (?:fails?|failed(?! \\w+ (?:can|is))|is red|is broken|not met|unmet)`,
      `(?<!(?:when|if) (?:\\w+ ){0,2})\\b(?:is|are|was|remains?) (?:still )?broken\\b`,
      `\\b(?:failing|broken|red) ${CHECK}\\b`,
      `(?<!\\bthe (?:process|program|app|server|tool|CLI|binary|worker) )\\b(?:exit(?:s|ed)?|left)(?: code| status)?(?: with| was| is|:|=)*(?: code| status)?:? ?(?!0\\b)[1-9]\\d*\\b(?! (?:when|if|unless|on|for)\\b)`,
      `\\|[ *_${CODE}]*(?:FAIL(?:ED|S|URE)?|ERROR|RED|NO|NOT OK)\\b(?=[ *_]*(?:\\||$|[(,;:–—-]|\\d))`,
      `\\|[ *_]*(?:pending|to ?do|open|missing|in progress|partial(?:ly)?|blocked|skipped|not \\w+)[ *_]*(?=\\||$)`,
      '❌|✗|✘|🔴|❗',
      `\\bif (?:you|one|we) (?:ignore|leave out|disregard)s?\\b`,
      `\\b(?:it|they|which)(?: all| both| also| now)? (?:fails?|hangs?|crash(?:es)?|times? out)\\b(?! (?:when|if|unless|with|over|fast))|\\bmakes? [^.;]{1,30} (?:fail|crash|hang)\\b(?! (?:early|fast|if|when))|\\bhung\\b|\\berror TS\\d+|\\b(?:${CHECK})\\b[^.;]{0,20} non-?zero\\b|\\b(?:than|what) (?:the )?(?:N?FR|AC|requirement|design|limit)[-\\w]* (?:allows?|permits?|demands?)\\b`,
      `(?:→|->|=>) *Error:|\\bneeds (?:${CODE}|\\w+) first\\b|\\b(?:exceeds?|exceeded) (?:its|the|their) (?:limit|budget|threshold|maximum)\\b`,
      `\\b(?:kept|keeps?|keep on) (?:failing|crashing|throwing|timing out)\\b`,
      `\\bbelow (?:the )?(?:\\d+ ?%|threshold|limit|target|required|minimum)`,
      `${CODE}[^.;,]{0,20} (?:still )?(?:fails|failed|is red|complain(?:s|ed)|reports \\d)\\b`,
      `\\b(?:unrelated|environment|flaky|cosmetic) (?:failures?|errors?|problems?|issues?)|\\b(?:look|seem|are|be)s? (?:unrelated|cosmetic|flaky)\\b|\\bproblem of the environment\\b`,
      `\\b(?:VERIFICATION_FAIL(?:ED)?|TASK_FAILED|TASK_INCOMPLETE|NOT_COMPLETE)\\b`,
    ],
    { unless: any(EXPECTED, RESOLVED, BEFORE) },
  ),
  // A check that was not run, or a guess in its place.
  sign(
    [
      `\\b(?:did${NOT}|ha(?:ve|s|d)${NOT}|without|not)(?: \\w+ly)? (?:been )?(?:run|ran|running|execut(?:e|ed|ing)|test(?:ed|ing)?|verif(?:y|ied|ying)|try|tried|trying|exercis(?:e|ed|ing)|compil(?:e|ed|ing)|launch(?:ed)?|look(?:ed)? into|measured?|check(?:ed)?(?! in\\b)|review(?:ed)?|read)\\b`,
      `\\b(?:it|this|that|they|everything|code|changes?|tests?|which|all|and|but) should (?:now |still |then |also )?(?:work|pass|be (?:fine|ok(?:ay)?|correct|good|done|green|in order|enough)|compile|build|do|hold|suffice)\\b`,
      `\\b(?:presumably|hopefully|probably|supposedly|in theory|theoretically|in principle|I (?:think|believe|assume|guess|suppose|trust|suspect|hope)|best effort|confident|I assumed|on faith|I take it|(?:it|this|that|which) I consider|(?:only|just) (?:read|looked|inspected|skimmed|reviewed)|by reading|based on (?:the )?(?:code|reading)|skimmed?|from reading)\\b`,
      `\\b${CHECK}\\b\\W{1,4}(?:skipped|omitted|not run)\\b|\\bno (?:\\w+ )?${CHECK} (?:run|possible)\\b|\\bno (?:e2e|integration|unit) (?:run|tests?)\\b(?! (?:is|are|was|were|has|fail))`,
      `\\bread the (?:code|diff) (?:and|instead|only)\\b`,
      `\\bdry[- ]run, nothing|\\b(?:this )?(?:is|was) a dry[- ]run\\b`,
      `\\bnothing (?:was|has been|got) (?:written|changed|done|run|executed|implemented|committed|tested)\\b|\\b(?:did|have|has)${NOT} (?:change|changed|touch|touched|modify|modified|make|made|do|done) (?:anything|any changes?)|\\b(?:made|make) no changes?\\b|\\bdid nothing\\b`,
    ],
    { unless: /\bthat nothing\b/i, ofReviewer: true },
  ),
  // A guess that in a review is a verdict.
  sign([
    `\\b(?:looks?|sounds?) (?:correct|right|fine|good|ok|unrelated)|\\bseems? (?:to (?:work|pass)|correct|right|fine|ok)\\b`,
  ]),
  // A person has to act.
  sign(
    [
      `\\bplease (?:\\w+ )?(?:check|run|verify|review|test|confirm|apply|add|set|provide|install|create|make|look|have|let|double|do|re-?run|update|configure|enable|approve|decide|merge|ask|tell|fix|try|copy|move|replace|adjust|complete|finish)\\b`,
      `\\b${PERSON}\\b(?: [\\w-]+){0,8}? (?:needs? to|has to|have to|must|should|will (?:need|have) to|ought to)\\b`,
      `\\b(?:by hand|manually|remains? (?:a |an )?manual|manual (?:steps?|work|actions?|intervention|approval|review|login|setup|configuration))\\b|\\bmanual (?:tests?|testing|checks?|verification)\\b(?=[^.;:]{0,30}\\b(?:needed|required|necessary|remains?|recommended|still|open|pending|left|by)\\b)|\\b(?:needs?|requires?|recommend|remains?)\\b[^.;]{0,20}\\bmanual (?:tests?|testing|checks?|verification)\\b`,
      `\\b(?:needs?|requires?) (?!no\\b|neither\\b)(?:an? |the |your |some |further )?(?:\\w+ )?(?:human|person|approval|decision|confirmation|input|sign-?off|clarification|real device|admin|key holder)\\b|\\b(?:awaits?|awaiting|waiting (?:for|on)|blocked (?:by|on)|pending) (?:\\w+ ){0,3}?(?:human|person|approval|review|access|credentials?|permission|decision|confirmation|input|sign-?off|keys?|tokens?|owner|clarification|account)\\b`,
      `\\b(?:has|have|needs?|must) (?:to )?be \\w+(?:ed|en|ne|un|wn|ld) by (?:an? |the )?\\w+|\\buntil (?:(?:we|I|you|someone|somebody|anyone)\\b|the \\w+ (?:have|has|get|gets|provides?|is|are)\\b)`,
      `\\b(?:up to you|let me know|would you like|shall I|should I|do you want|unclear|not (?:sure|certain)|unsure|I (?:would|['’]d) (?:suggest|recommend|need|ask))\\b`,
    ],
    { unless: any(OWN_HAND, /\bwhose\b|\baccounts?\b[^.]*\bbanner|\bexplain|\bdescribes?|\bno longer/i) },
  ),
  // A part only.
  sign([
    `\\b(?:everything|all(?: of (?:it|them))?|all (?:tests|steps|parts|points|items|checks|criteria)|the rest|works|done|implemented|finished|complete)\\b[^.;]{0,30}\\b(?:except|apart from|aside from|other than|but for|save for|with the exception)\\b`,
    `\\bexcept (?:for|that)\\b|\\bwith the exception of\\b|\\bto the extent\\b|\\b(?:everything|all) (?:that )?(?:I )?could\\b|\\ball but (?:one|two|\\d+|the)\\b|\\bmost of (?:the|it|them)\\b|\\bhalf of\\b|\\bthe first (?:half|part)\\b|\\bonly (?:a (?:part|subset|few)|some of|half|part of)\\b|\\bonly the (?:first|last)\\b|\\binstead of (?:the|fixing|solving|implementing|writing) [^.;,]{1,40},? I\\b|\\b(?:ran|tested|checked|verified) only\\b|\\bI was interrupted\\b|\\b(?:covers?|covered|handled?s?|implemented) the (?:most|main|basic|key|core) \\w+|\\ba subset of\\b|\\bonly \\w+ed the (?:\\w+est|first|main|most)\\b|\\bonly (?:had|did|implemented|finished|covered|handled|translated|migrated|ported|wrote)\\b`,
    `\\b(?<parts>\\d+)/(?!\\k<parts>\\b)\\d+ (?:${CHECK}|pass|green|done|ok)`,
    `\\b(?<few>[1-9]\\d*)(?: \\w+)? (?:out )?of (?:the |its )?(?!\\k<few>\\b)\\d+\\b(?!,)`,
    `\\b(?:one|two|three|four|five|six|\\d+) of (?:the )?(?:two|three|four|five|six|seven|eight|nine|ten) \\w+\\b(?! (?:pass|are green|hold))`,
    `\\b(?:known (?:issues?|limitations?)|caveats?|unfortunately|edge cases? (?:would|still|need|remain)|gibberish)\\b`,
    `\\bthe rest (?:passes|works|is|holds|looks)\\b|\\bthe others? (?:holds?|pass(?:es)?|works?|looks?)\\b`,
  ]),
];

/** What a reviewer says against work that it passes all the same. */
export const REVIEWER_SIGNS: readonly Sign[] = [
  sign([
    `\\b(?:AC|N?FR|R|requirement|criterion)[- ]?[\\d.]*\\d (?:is|are)${NOT} (?:${PARTICIPLES})\\b`,
    `\\b(?:must|needs? to|has to|have to) be (?:fixed|addressed|changed|corrected|closed|added|handled|tested)\\b|\\bshould be \\w+ before\\b|\\bmust-fix\\b|\\bask for changes\\b|\\btests? (?:is|are) missing\\b|\\bthe first (?:half|part)\\b|\\bhalf of\\b`,
    `\\bno (?:unit |new )?tests? (?:(?:is|are|was|were|has been|have been) (?:added|written|there)|covers?|checks?)\\b|\\bnothing\\b[^.;]{0,30}\\bis (?:tested|checked|verified|covered)\\b|\\btests? only (?:assert|check|verify|cover)s?\\b`,
    `\\b(?:there(?:['’]s| is| are)|found|has|contains|introduces|allows)\\b(?:(?!\\b(?:no|not|none|without)\\b)[^.;]){0,20}\\b(?:injections?|vulnerabilit(?:y|ies)|data loss|races?|race conditions?|(?:memory )?leaks?|security (?:hole|issue|problem)s?|bugs?|regressions?)\\b`,
  ]),
];

/** A word that takes back what was said; looked for after the signal only. */
export const RETRACTION =
  /\b(?:wait|actually|on second thoughts?|correction|scratch that|ignore|disregard|retract|take (?:that|it|this) back|oops|sorry|mistake|hold on|but|however|except|premature|wrong|forgot|though|although|unfortunately|not|never|isn['’]t|doesn['’]t|aber|doch|allerdings|leider|nicht|mais|cependant|pas|pero|sin embargo|mas|porém|non|però)\b|但|不过|しかし|ただし|но\s/i;

/** What makes an English sign in its sentence harmless: it was meant to be so, or belongs to another task. */
export const WANTED = any(EXPECTED, ELSEWHERE, SOUGHT);
/** What makes one that tells of a state harmless: the state is a former one. */
export const FORMER = any(RESOLVED, BEFORE);

/** What says that it is so to this day, whatever else the sentence tells. */
export const OVERRULED =
  /(?<!\b(?:was|were|had) )\bstill (?!working on\b|works?\b|pass|green|holds?\b|in place)|\bremain(?:s|ing)?\b/i;

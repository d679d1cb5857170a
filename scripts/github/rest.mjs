import { isRunning, Refusal } from './model.mjs';

const STATUS = { NOT_FOUND: 404, FORBIDDEN: 403, UNPROCESSABLE: 422 };

/** Each with the method and the path below the repository that it answers. */
const ROUTES = [
  ['GET', /^collaborators\/([^/]+)\/permission$/, permission],
  ['GET', /^branches\/([^/]+)$/, branch],
  ['GET', /^rules\/branches\/([^/]+)$/, rules],
  ['GET', /^labels\/([^/]+)$/, (model, [name]) => found(model.labels.has(name), { name })],
  ['POST', /^issues\/(\d+)\/labels$/, (model, [number], { labels }) => done(model.label(Number(number), labels))],
  ['POST', /^issues\/(\d+)\/comments$/, comment],
  ['POST', /^pulls$/, (model, _parts, body) => created(model, model.open(body))],
  ['PATCH', /^pulls\/(\d+)$/, edit],
  ['POST', /^pulls\/(\d+)\/requested_reviewers$/, askForReview],
  ['GET', /^actions\/jobs\/([^/]+)$/, job],
  ['GET', /^actions\/runs\/([^/]+)\/jobs$/, jobs],
  ['GET', /^actions\/jobs\/([^/]+)\/logs$/, log],
  ['POST', /^actions\/jobs\/([^/]+)\/rerun$/, rerun],
];

/**
 * Answers a request of the REST interface with `status`, and `body` (an object as JSON, a text as it is) or `location`.
 * @param {{ method: string, path: string, body: unknown }} request
 */
export function answerRest(model, { method, path, body }) {
  const prefix = `/repos/${model.owner}/${model.name}/`;
  if (path.startsWith('/logs/')) return found(model.job(path.slice(6)), model.job(path.slice(6))?.log ?? '');
  if (!path.startsWith(prefix)) return { status: 404, body: { message: 'Not Found' } };
  for (const [wanted, pattern, answer] of ROUTES) {
    const parts = wanted === method ? pattern.exec(path.slice(prefix.length)) : null;
    if (parts !== null) return answered(() => answer(model, parts.slice(1).map(decodeURIComponent), body));
  }
  return { status: 404, body: { message: 'Not Found' } };
}

function answered(answer) {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { type, message } = error;
    if (type !== 'UNPROCESSABLE') return { status: STATUS[type], body: { message } };
    return {
      status: 422,
      body: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', code: 'custom', message }] },
    };
  }
}

function permission(model, [login]) {
  if (!model.mayWrite)
    return { status: 403, body: { message: 'Must have push access to view collaborator permission.' } };
  return done({ permission: model.permissionOf(login), user: { login } });
}

function branch(model, [name]) {
  const required_status_checks = { enforcement_level: 'non_admins', contexts: [...model.required] };
  const protection = model.required.size > 0 ? { enabled: true, required_status_checks } : { enabled: false };
  return found(model.git.headOf(name) !== undefined, { name, protected: protection.enabled, protection });
}

function rules(model) {
  const required_status_checks = [...model.ruled].map((context) => ({ context }));
  const rule = { type: 'required_status_checks', parameters: { required_status_checks } };
  return done([{ type: 'deletion' }, ...(model.ruled.size > 0 ? [rule] : [])]);
}

function comment(model, [number], { body }) {
  model.requireWriting();
  return { status: 201, body: { id: model.comment(Number(number), model.account, body).id } };
}

function created(model, { number }) {
  return { status: 201, body: { number, html_url: model.urlOf(number) } };
}

function edit(model, [number], { title, body }) {
  model.requireWriting();
  model.change(Number(number), { title, body });
  return done({ number: Number(number) });
}

function askForReview(model, [number], { reviewers = [], team_reviewers = [] }) {
  model.askForReview(Number(number), [...reviewers, ...team_reviewers]);
  return { status: 201, body: {} };
}

function job(model, [id]) {
  const check = model.job(id);
  return found(check !== undefined, check && jobOf(check));
}

function jobs(model, [run]) {
  const all = model.jobsOfRun(run);
  return done({ total_count: all.length, jobs: all.map(jobOf) });
}

function jobOf({ id, run, job: name, state, startedAt }) {
  return { id, run_id: run, name, status: isRunning(state) ? 'in_progress' : 'completed', started_at: startedAt };
}

function log(model, [id]) {
  const job = model.job(id);
  if (job?.log === undefined) return { status: 404, body: { message: 'Not Found' } };
  return { status: 302, location: `https://logs.example.invalid/logs/${id}?sig=signed` };
}

function rerun(model, [id]) {
  if (model.rerun(id)) return { status: 201, body: {} };
  return { status: 403, body: { message: 'The workflow run containing this job is already running' } };
}

function done(body = {}) {
  return { status: 200, body };
}

function found(isThere, body) {
  return isThere ? done(body) : { status: 404, body: { message: 'Not Found' } };
}

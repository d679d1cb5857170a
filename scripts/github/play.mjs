/**
 * Has CI and people act on a model as a scenario says. See `Scenario` in `github.d.mts` for what one can hold.
 */
export function play(model, scenario) {
  for (const [login, person] of Object.entries(scenario.people ?? {})) model.person(login, person);
  for (const label of scenario.labels ?? []) model.labels.add(label);
  for (const name of scenario.required ?? []) model.required.add(name);
  if (scenario.template !== undefined) model.templates.push(scenario.template);
  const player = new Player(model, scenario);
  model.onPush = (pull) => player.pushed(pull);
  model.onLook = (pull) => player.looked(pull);
  player.begin();
}

class Player {
  #model;
  #scenario;
  #steps;
  /** How often the checks of the newest push were asked for. */
  #looks = 0;
  /** What checks will report, by the looks that they are pending for. */
  #pending = [];
  /** Threads by the names that the scenario gives them. */
  #threads = new Map();

  constructor(model, scenario) {
    this.#model = model;
    this.#scenario = scenario;
    this.#steps = [...(scenario.steps ?? [])];
  }

  /** What is so before there is a pull request. */
  begin() {
    for (const step of this.#take(({ afterPush }) => afterPush === 0)) this.#fail(step);
  }

  pushed(pull) {
    this.#looks = 0;
    this.#pending = [];
    if (!this.#steps.some(({ afterPush, checks }) => afterPush === pull.pushes && checks))
      this.#report(pull, this.#scenario.checks);
    this.#act(pull);
  }

  looked(pull) {
    this.#looks += 1;
    for (const { name, report, looks } of this.#pending)
      if (looks < this.#looks) this.#model.check(pull.head, name, report);
    this.#pending = this.#pending.filter(({ looks }) => looks >= this.#looks);
    for (const check of this.#model.checksOf(pull.head)) this.#goOn(check);
    this.#act(pull);
  }

  /** A job that was begun again is pending for one look. */
  #goOn(check) {
    if (check.next === undefined) return;
    if (check.isSeen) Object.assign(check, { state: check.next, next: undefined, isSeen: false });
    else check.isSeen = true;
  }

  #act(pull) {
    const isDue = ({ afterPush, afterLooks = 0 }) =>
      afterPush > 0 && (afterPush < pull.pushes || (afterPush === pull.pushes && afterLooks <= this.#looks));
    for (const step of this.#take(isDue)) {
      if (step.afterPush === pull.pushes) this.#report(pull, step.checks);
      this.#discuss(pull.number, step);
      this.#change(pull, step);
      this.#fail(step);
    }
  }

  #take(isDue) {
    const due = this.#steps.filter(isDue);
    this.#steps = this.#steps.filter((step) => !due.includes(step));
    return due;
  }

  #report(pull, checks = {}) {
    for (const [name, { pendingLooks = this.#scenario.pendingLooks ?? 0, ...report }] of Object.entries(checks)) {
      const isNow = pendingLooks <= this.#looks;
      this.#model.check(pull.head, name, isNow ? report : { ...report, state: 'pending' });
      if (!isNow) this.#pending.push({ name, report, looks: pendingLooks });
    }
  }

  #discuss(number, { threads = {}, replies = [], edits = [], resolved = [], reviews = [], comments = [] }) {
    for (const [name, thread] of Object.entries(threads)) this.#threads.set(name, this.#model.thread(number, thread));
    for (const { thread, by, body } of replies) this.#model.reply(this.#threads.get(thread), by, body);
    for (const { thread, body } of edits) this.#model.threadOf(this.#threads.get(thread)).comments[0].body = body;
    for (const thread of resolved) this.#model.resolve(this.#threads.get(thread));
    for (const review of reviews) this.#model.review(number, review);
    for (const { by, body } of comments) this.#model.comment(number, by, body);
  }

  #change(pull, { change, isMerged, push }) {
    if (change) Object.assign(pull, change);
    if (isMerged) this.#model.merge(pull.number);
    if (push) this.#model.git.push(push.branch ?? pull.branch, push.files, push.message ?? 'Change it');
  }

  #fail({ permission, isSignedOut, failures = [] }) {
    if (permission) this.#model.person(this.#model.account, { permission });
    if (isSignedOut !== undefined) this.#model.isSignedOut = isSignedOut;
    for (const failure of failures) this.#model.failNext(failure);
  }
}

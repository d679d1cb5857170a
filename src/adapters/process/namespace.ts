/** A way to start a program in a process namespace of its own, which the kernel ends with us. */
export type NamespaceCommand = readonly [string, ...string[]];

/**
 * The shell is the first process of the namespace and the program its child: the first one would be deaf to SIGTERM and
 * would have to take care of orphans. `exit` keeps the shell from replacing itself with the program.
 */
const AS_SECOND_PROCESS = ['sh', '-c', '"$@"; exit $?', 'sh'];

const DIES_WITH_US = ['setpriv', '--pdeathsig', 'KILL'] as const;
const NEW_NAMESPACE = ['--pid', '--fork', '--kill-child', '--mount-proc'];

/** What may work, best first: as root, with bubblewrap, and as an ordinary user where the system lets them. */
export const WRAPPERS: readonly NamespaceCommand[] = [
  [...DIES_WITH_US, 'unshare', ...NEW_NAMESPACE, ...AS_SECOND_PROCESS],
  [
    'bwrap',
    '--dev-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    '--unshare-pid',
    '--die-with-parent',
    '--',
    ...AS_SECOND_PROCESS,
  ],
  [...DIES_WITH_US, 'unshare', '--user', '--map-current-user', ...NEW_NAMESPACE, ...AS_SECOND_PROCESS],
];

/** What to tell a person when none of them works. */
export const NO_NAMESPACE =
  'Process namespaces do not work here: this user can run neither unshare nor bwrap. Install bubblewrap, or set containment to "marker".';

/**
 * Names of the user's variables that `gh` gets in addition to those of every program and to proxies; a name that ends in
 * `*` stands for all that begin so (R-PR-7). They sign it in: by a token, by its configuration, or by the keyring of the
 * session, which is reached over D-Bus.
 */
export const GH_VARIABLES: readonly string[] = [
  ...['GH_*', 'GITHUB_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'],
  ...[
    'XDG_CONFIG_HOME',
    'XDG_STATE_HOME',
    'XDG_DATA_HOME',
    'XDG_CACHE_HOME',
    'XDG_RUNTIME_DIR',
    'DBUS_SESSION_BUS_ADDRESS',
  ],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR'],
];

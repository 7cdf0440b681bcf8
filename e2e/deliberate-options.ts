/** What OPTIONS deliberately tells otherwise than was recorded, and why. */
export interface Deliberate {
  /** The address, below `/api/v1/`. */
  readonly at: RegExp
  /** `<method> <fact>` as a difference begins. */
  readonly facts: RegExp
  readonly why: string
}

const rule = (at: RegExp, facts: RegExp, why: string): Deliberate => ({ at, facts, why })

export const deliberate: readonly Deliberate[] = [
  rule(
    /^(assets|terminal\/applet-hosts)\//,
    /^\w+ (spec_info|gathered_info|auto_config)\b/,
    'Only some answers of a v3 server carry them, depending on what a process has answered before.',
  ),
  rule(
    /^assets\/(gateways|hosts)\/|^terminal\/applet-hosts\//,
    /^\w+ (category|type)\.choices/,
    'Gateways and application hosts are hosts, and offer the types of hosts.',
  ),
  rule(
    /^assets\/databases\//,
    /^\w+ db_name\.required/,
    'Whether a name is demanded depends on the type: the ids of platforms and the first row differ.',
  ),
  rule(/^assets\/gateways\//, /^GET \w+\.filter/, 'Gateways are filtered like the assets they are.'),
  rule(
    /./,
    /^GET (password|secret|value|input_secret|verify_code|zip_encrypt_password)\.order/,
    'Rows are not lined up by secrets.',
  ),
  rule(
    /^tickets\/apply-/,
    /^GET apply_\w+\.order/,
    'What a type of ticket has of its own is stored as a whole; the list of all tickets is the one that is lined up.',
  ),
  rule(
    /^(tickets|authentication|users\/connection-token|terminal\/applet-hosts)\b/,
    /^GET org_id\.order/,
    'These rows are listed across organizations, by what a person knows of them.',
  ),
  rule(
    /-executions\/\{pk\}\/$/,
    /^GET (trigger\.filter|\w+\.order)/,
    'One row is told like the list, which filters and orders by them.',
  ),
  rule(
    /^ops\/(tasks|celery\/period-tasks)\//,
    /^\w+ (is_periodic|enabled|schedule|date_next): not recorded/,
    'More is told.',
  ),
  rule(/^ops\/tasks\/render-to-json\//, /^POST \w+\.(filter|order)/, 'A file of tasks is no list.'),
  rule(
    /^ops\/(celery\/period-tasks|task-executions)\//,
    /^GET (total_run_count|is_finished|date_published)\.order/,
    'Counted or derived from other columns.',
  ),
  rule(/^terminal\/my-sessions\//, /^GET \w+\.order/, 'Own sessions can be put in order like all of them.'),
  rule(/^terminal\/my-sessions\//, /^GET terminal\.read_only/, 'Nobody sends it.'),
  rule(
    /^terminal\/applet-hosts\//,
    /^\w+ accounts_create_amount\.(min|max)_value/,
    'The amount that is really accepted, which a form can check.',
  ),
  rule(
    /^terminal\/applet-hosts\//,
    /^GET (accounts_create_amount|auto_create_accounts|using_same_account|date_synced|connectivity)\.order/,
    'Stored beside the asset.',
  ),
  rule(/^terminal\/applet-hosts\/\{pk\}/, /^GET accounts(\[\])?\.write_only/, 'A detail shows the accounts.'),
  rule(/^terminal\/session-sharings\//, /^GET users\.order/, 'A list of people has no order.'),
  rule(/^terminal\/replay-storages\//, /^\w+ meta\.SFTP_HOST_KEY/, 'The pinned key of a storage.'),
  rule(
    /^audits\/ftp-logs\/|^authentication\/access-keys\//,
    /^\w+ (is_success|is_active)\.default/,
    'The value that is taken when none is sent.',
  ),
  rule(/^authentication\/access-keys\/render-to-json\//, /^POST /, 'Told like the form that creates a key.'),
  rule(/^authentication\/(auth|tokens)\//, /^POST user: missing/, 'The response names the signed-in user.'),
  rule(
    /^authentication\/super-connection-token\/secret\//,
    /^POST /,
    'It tells what may be sent, not what is answered: the answer has a credential.',
  ),
  rule(/^accounts\/account-secrets\/\{pk\}/, /^GET has_secret: not recorded/, 'Told in the list too.'),
  rule(/^settings\/setting\/\?category=all/, /./, 'Here the whole of every category.'),
  rule(
    /^settings\/(setting\/\?category=vault|vault\/testing\/)/,
    /^\w+ VAULT_/,
    'The vault is switched here, by more ways to sign in to it.',
  ),
  rule(/^settings\/ldap\/users\//, /^GET /, 'Users of the directory: put in order, and nothing of them is sent.'),
  rule(/^settings\/public\//, /^GET ORDER/, 'Settings in the order of their modules.'),
  rule(
    /^assets\/protocol-settings\/\{pk\}|^rbac\/[\w-]*roles\/\{pk\}/,
    /^PUT ABSENT/,
    'The first row is built in, and cannot be changed.',
  ),
  rule(/^assets\/platform-automation-methods\//, /^GET ORDER/, 'Methods in the order of systems.'),
]

/** Choices that only the license of the recorded server left out, or that v3 does not have. */
export const moreChoices = new Set([
  ...['clickhouse', 'db2', 'oracle', 'postgresql', 'sqlserver'],
  // Approvals are an extended feature there.
  'review',
  // Accounts are removed from their assets too.
  'remove',
  // Passkeys confirm an operation too.
  'passkey',
])

/** Addresses of rows that only a real sign-in, connection or component makes. */
export const withoutRows = [
  ...['audits/user-sessions/{pk}/', 'authentication/temp-tokens/{pk}/', 'terminal/tasks/{pk}/'],
  ...['tickets/apply-command-tickets/{pk}/', 'tickets/apply-login-asset-tickets/{pk}/'],
  'tickets/apply-login-tickets/{pk}/',
]

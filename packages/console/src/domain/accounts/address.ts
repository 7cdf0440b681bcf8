export const accountsUrl = '/api/v1/accounts/accounts/'
/** The default order of a list. */
export const accountsOrder = '-date_updated'

/** Secrets in plain text, of accounts and of templates. Reading one needs a confirmation. */
export const accountSecretsUrl = '/api/v1/accounts/account-secrets/'
export const templateSecretsUrl = '/api/v1/accounts/account-template-secrets/'

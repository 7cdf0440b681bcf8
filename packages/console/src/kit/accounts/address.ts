export const accountsUrl = '/api/v1/accounts/accounts/'
/** The default order of a list. */
export const accountsOrder = '-date_updated'
export const templatesUrl = '/api/v1/accounts/account-templates/'

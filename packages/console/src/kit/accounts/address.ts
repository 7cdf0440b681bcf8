export const accountsUrl = '/api/v1/accounts/accounts/'
/** Of a list of them while nobody chose another. */
export const accountsOrder = '-date_updated'
export const templatesUrl = '/api/v1/accounts/account-templates/'

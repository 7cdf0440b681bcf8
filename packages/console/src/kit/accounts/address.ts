export const accountsUrl = '/api/v1/accounts/accounts/'
export const templatesUrl = '/api/v1/accounts/account-templates/'

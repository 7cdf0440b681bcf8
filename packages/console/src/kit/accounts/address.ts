export const accountsUrl = '/api/v1/accounts/accounts/'

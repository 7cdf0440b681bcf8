/** Width of dialogs with a form or a table. Confirmations and facts are as wide as their content. */
export const dialogWidth = 'max(60vw, 560px)'

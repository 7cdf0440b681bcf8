/** Of a dialog with a form or a table; those of questions and facts are as wide as what they hold. */
export const dialogWidth = 'max(60vw, 560px)'

/** The log of a background task in a separate window. Its routes have no frame and are declared in the router. */
export const loadTaskLog = () => import('./task-log.tsx')

/** The log of a background task, in a window of its own: its routes have no frame and stand in the router. */
export const loadTaskLog = () => import('./task-log.tsx')

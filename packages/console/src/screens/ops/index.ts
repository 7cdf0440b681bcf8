import type { Feature } from '../../kit/feature.ts'

/** The task log has routes without a frame; they stand in the router. */
export const features: readonly Feature[] = []

/** The log of a background task, in a window of its own. */
export const loadTaskLog = () => import('./task-log.tsx')

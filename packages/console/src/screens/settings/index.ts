import { type Feature, screen } from '../../kit/feature.ts'

export const features: readonly Feature[] = [screen('License', 'license', () => import('./license.tsx'))]

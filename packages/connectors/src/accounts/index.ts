export * from './account-system.ts'

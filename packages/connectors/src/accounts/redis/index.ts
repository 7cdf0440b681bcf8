export { redis as system } from './redis.ts'

export { type Gateway, startGateway } from './gateway.ts'
export { type GatewaySettings, readSettings } from './settings.ts'

import { resolve } from 'node:path'

/** @param {NodeJS.ProcessEnv} env @returns {string} absolute */
export const dataDirOf = (env) => resolve(env.CASTELLAN_DATA_DIR || '.castellan')

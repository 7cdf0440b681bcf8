/** Asset limit on the wire of a license without a limit: clients compare a number and read a missing value as zero. */
export const unlimitedAssets = 2_147_483_647

/** The asset limit of a license; undefined without a limit. */
export const assetLimit = (count: unknown): number | undefined =>
  typeof count === 'number' && count < unlimitedAssets ? count : undefined

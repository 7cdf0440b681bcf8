/**
 * How many assets a license allows that limits none, on the wire: clients compare it as a number and take a missing one
 * for zero.
 */
export const unlimitedAssets = 2_147_483_647

/** How many assets a license allows; undefined when it limits none. */
export const assetLimit = (count: unknown): number | undefined =>
  typeof count === 'number' && count < unlimitedAssets ? count : undefined

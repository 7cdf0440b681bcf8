import { defineHook } from '../../kernel/module/hooks.ts'

export interface SavedOrganization {
  id: string
  name: string
  /** Undefined for a new one. */
  formerName: string | undefined
}

/**
 * An organization was created or renamed. What every organization has from its creation, such as the root of its nodes,
 * is created here.
 */
export const organizationSaved = defineHook<SavedOrganization>('orgs.organization.saved')

/** An organization is about to be deleted. What was created with it is deleted here. */
export const organizationDeleting = defineHook<{ id: string; name: string }>('orgs.organization.deleting')

import type { Migration } from '../migration.ts'

/** Sources whose users sign in at a provider, at the time of this migration. */
const providers = ['openid', 'saml2', 'cas', 'oauth2', 'wecom', 'dingtalk', 'feishu']

/**
 * Names at a provider can be given to somebody else: users are bound to the provider's own id, known users at their next
 * sign-in. For these the age of their sign-in counts from now; browser sessions that keep tokens in their data begin anew.
 */
export const migration: Migration = {
  name: '20261127153821-bind-provider-identities',
  async up({ db, createTable }) {
    await createTable({
      name: 'users_provideridentity',
      columns: {
        user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
        provider: { type: 'text' },
        issuer: { type: 'text', nullable: true },
        subject: { type: 'text', nullable: true },
        date_confirmed: { type: 'timestamp' },
        date_ended: { type: 'timestamp', nullable: true },
      },
      primaryKey: ['user_id', 'provider'],
      unique: [['provider', 'issuer', 'subject']],
      indexes: [],
    })
    await createTable({
      name: 'authentication_providersession',
      columns: {
        id: { type: 'uuid' },
        user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
        backend: { type: 'text' },
        provider: { type: 'text' },
        at_provider: { type: 'text' },
        names: { type: 'json' },
        date_renewal: { type: 'timestamp', nullable: true },
        date_askable: { type: 'timestamp', nullable: true },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['user_id'], ['date_created']],
    })
    await db
      .insertInto('users_provideridentity')
      .columns(['user_id', 'provider', 'date_confirmed'])
      .expression((eb) =>
        eb
          .selectFrom('users_user')
          .select(['id', 'source', eb.val(Date.now()).as('date_confirmed')])
          .where('source', 'in', providers),
      )
      .execute()
    await db.deleteFrom('authentication_session').where('data', 'like', '%"at_provider"%').execute()
  },
}

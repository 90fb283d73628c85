import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The hash that no password has, as `sign-in.ts` had it when this was written. */
const nobodysHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export const verifiedEmails: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .alterTable('users')
      .addColumn('is_email_verified', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    // An administrator vouches for whom they made; those who signed up by themselves have shown nothing yet.
    await sql`update users set is_email_verified = 1 where service_org_id is null and id in (
      select subject_id from audit_events
      where action = 'server.set_up' or (action = 'user.create' and actor_kind in ('user', 'system'))
    )`.execute(db);
    await schema
      .alterTable('password_resets')
      .addColumn('is_mailed', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();

    // What administrators could give to service accounts until now.
    const service = sql`(select id from users where service_org_id is not null)`;
    await sql`update authority set epoch = epoch + 1 where exists (
      select 1 from users where service_org_id is not null and (is_admin = 1 or password_hash <> ${nobodysHash})
    )`.execute(db);
    await sql`update users set is_admin = 0, password_hash = ${nobodysHash} where service_org_id is not null`.execute(
      db,
    );
    await sql`delete from sessions where user_id in ${service}`.execute(db);
    await sql`delete from password_resets where user_id in ${service}`.execute(db);
  },
};

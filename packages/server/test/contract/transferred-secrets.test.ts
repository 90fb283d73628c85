import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { systemCtx } from '../../src/context.ts';
import { tx } from '../../src/db/tx.ts';
import { sealParameters } from '../../src/domains/device-tests/runs/run-parameters.ts';
import { insertRun } from '../../src/domains/device-tests/runs/test-runs.store.ts';
import { emptyRun } from '../../src/domains/device-tests/runs/test-runs.ts';
import { insertConfiguration } from '../../src/domains/exports/configurations.store.ts';
import { open, seal } from '../../src/kernel/crypto/sealed.ts';
import { testApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/services/databases.ts';

/**
 * Every secret of every domain, and what a transfer of an app does to it: `cleared` and `deleted` are tested below. A
 * new column that looks like a secret fails the first test until its fate is decided here.
 */
const outcomes: Record<string, string> = {
  'api_tokens.hash': 'deleted',
  'app_former_secrets.secret': 'kept: installed apps send it until it ends',
  'apps.app_secret': 'kept: installed apps send it',
  'audit_events.actor_credential': 'no secret: the kind of credential',
  'audit_events.actor_token_id': 'no secret: an id',
  'bug_trackers.token': 'deleted',
  'build_branches.secrets': 'cleared',
  'build_repositories.deploy_key': 'cleared',
  'build_repositories.hook_id': 'cleared',
  'build_repositories.hook_secret': 'cleared',
  'build_repositories.password': 'cleared',
  'build_settings.secrets': 'cleared',
  'builds.variables': 'cleared',
  'ci_tokens.hash': 'deleted',
  'codepush_deployments.key': 'kept: installed apps ask with it',
  'codepush_former_keys.key': 'kept: installed apps ask with it until it ends',
  'codepush_packages.package_hash': 'no secret: the sum of a package',
  'codepush_diffs.from_hash': 'no secret: the sum of a package',
  'crash_awaited_groups.key': 'no secret: what a group is found by',
  'crash_groups.key': 'no secret: what a group is found by',
  'crash_keys.key': 'no secret: what a group is found by',
  'data_requests.email_proof': 'not of an app',
  'delivery_endpoints.old_secret': 'cleared',
  'delivery_endpoints.old_secret_until': 'no secret: a time',
  'delivery_endpoints.secret': 'cleared',
  'delivery_endpoints.sealed_url': 'cleared',
  'device_sign_ins.device_hash': 'not of an app',
  'device_sign_ins.user_code_hash': 'not of an app',
  'distribution_group_invitations.token_hash': 'kept: testers stay with the app, and so do those who are invited',
  'distribution_stores.sealed_credentials': 'cleared',
  'export_configurations.secret': 'cleared',
  'file_downloads.key': 'no secret: the key of a file',
  'health_feeds.secret_hash': 'not of an app',
  'ingest_history.hash': 'no secret: the sum of a body',
  'invitations.token_hash': 'deleted',
  'mails.text': 'not of an app',
  'oauth_codes.challenge': 'not of an app',
  'oauth_codes.hash': 'not of an app',
  'packed_files.key': 'no secret: the key of a file',
  'password_resets.token_hash': 'not of an app',
  'rate_counts.key': 'not of an app',
  'release_hashes.hash': 'no secret: the sum of a package',
  'sessions.sealed_id_token': 'not of an app',
  'used_proofs.hash': 'not of an app',
  'runner_codes.code_hash': 'deleted',
  'runner_jobs.token_hash': 'cleared',
  'runner_jobs.work': 'cleared',
  'runners.token_hash': 'deleted',
  'scim_tokens.hash': 'not of an app',
  'sessions.hash': 'not of an app',
  'signing_keys.public_jwk': 'not of an app',
  'identity_providers.sealed_secret': 'not of an app',
  'recovery_codes.hash': 'not of an app',
  'second_factors.sealed_secret': 'not of an app',
  'signing_keys.sealed_jwk': 'not of an app',
  'test_runs.parameters': 'cleared',
  'test_runs.sealed_parameters': 'cleared',
  'update_tokens.hash': 'kept: the rights of its user are checked at each use',
  'users.password_hash': 'not of an app',
};

const looksSecret =
  /secret|sealed|password|token|credential|proof|challenge|private|deploy_key|hook_id|variables|parameters|^work$|^key$|hash$/;

/** The columns of an interface, each with the comment above it. */
function* readColumns(body: string): Generator<{ name: string; kind: string; comment: string }> {
  let comment = '';
  for (const line of body.split('\n')) {
    const [, name = '', kind = ''] = /^ {2}(\w+)\??: (.+);$/.exec(line) ?? [];
    if (name) yield { name, kind, comment };
    comment = name ? '' : comment + line;
  }
}

/** Columns of all tables whose name or comment suggests a secret. */
function findSecretColumns(): string[] {
  const folder = path.join(import.meta.dirname, '../../src');
  return globSync('**/*.tables.ts', { cwd: folder }).flatMap((file) => {
    const source = readFileSync(path.join(folder, file), 'utf8');
    const tables = new Map([...source.matchAll(/^\s+(\w+): (\w+Table);$/gm)].map(([, table, type]) => [type, table]));
    const inline = /defineTables<\{ (.*?) \}>/.exec(source)?.[1] ?? '';
    for (const [, table, type] of inline.matchAll(/(\w+): (\w+Table)/g)) tables.set(type, table);
    return [...source.matchAll(/export interface (\w+Table)[^{]*\{\n(.*?)\n\}/gs)].flatMap(([, type, body = '']) =>
      [...readColumns(body)].flatMap(({ name, kind, comment }) =>
        kind !== 'Flag' && (/\bseal/i.test(comment) || looksSecret.test(name))
          ? [`${tables.get(type) ?? type}.${name}`]
          : [],
      ),
    );
  });
}

test('each column that looks like a secret has a fate when its app is transferred', () => {
  const found = findSecretColumns();
  expect(found.length).toBeGreaterThan(30);
  const undecided = found.filter((name) => !(name in outcomes));
  const unknown = Object.keys(outcomes).filter((name) => !found.includes(name));
  expect({ undecided, unknown }).toEqual({ undecided: [], unknown: [] });
});

const purposes = globSync('**/*.ts', { cwd: path.join(import.meta.dirname, '../../src') }).flatMap((file) => {
  const source = readFileSync(path.join(import.meta.dirname, '../../src', file), 'utf8');
  return [...source.matchAll(/PURPOSE = '([\w-]+)'/g)].map(([, purpose = '']) => purpose);
});

eachDatabase('the transfer of an app', (dialect) => {
  test('leaves no secret of the previous owner to the next one', async () => {
    const app = await testApp(dialect, { outboundAllow: ['127.0.0.0/8'] });
    const ada = await app.addUser('ada');
    const compass = await app.addApp(ada, 'compass');
    await app.addOrg(ada, 'lighthouse');
    const token = await app.userToken(ada);
    const send = async (method: string, rest: string, body: object) => {
      const answer = await app.call(method, `/v0.1/apps/ada/compass/${rest}`, { token, body });
      expect([rest, answer.statusCode, answer.statusCode < 300 ? '' : answer.body]).toEqual([
        rest,
        answer.statusCode,
        '',
      ]);
      return answer.body ? answer.json() : undefined;
    };
    const environmentVariables = [
      { name: 'KEY', value: 'sesame', isSecret: true },
      { name: 'STAGE', value: 'beta' },
    ];
    const toolsets = { custom: { commands: ['make'] }, android: { keyPassword: 'sesame', keyAlias: 'upload' } };
    await send('POST', 'repo_config', { repo_url: 'https://ada:sesame@localhost/ada/compass.git' });
    await send('POST', 'repo_config/push_hook', {});
    await send('POST', 'branches/main/config', { trigger: 'manual', toolsets, environmentVariables });
    await send('PUT', 'build_settings', { environmentVariables });
    await send('POST', 'branches/main/builds', { sourceVersion: 'a'.repeat(40), environmentVariables });
    const hook = { url: 'https://127.0.0.1/hooks/sesame', event_types: ['newCrashGroupCreated'] };
    const { id: webhookId } = await send('POST', 'webhooks', hook);
    await send('POST', `webhooks/${webhookId}/rotate`, {});
    await send('POST', 'distribution_stores', { type: 'apple', name: 'Store' });
    await send('PUT', 'distribution_stores/Store/credentials', { secrets: { KEY: 'sesame' } });
    await send('POST', 'invitations', { user_email: 'grace@example.com' });
    await send('POST', 'runners/codes', {});
    await send('PUT', 'bugtracker', {
      type: 'github',
      project: 'ada/compass',
      token: 'sesame',
      base_url: 'https://127.0.0.1/api',
    });
    await app.appToken(compass, ada);
    const claims = { repository: 'octo/compass' };
    const rule = await send('POST', 'ci_rules', { provider: 'github', claims, permissions: ['releases:write'] });
    await app.database.transaction((db) =>
      db.query((q) => q.insertInto('ci_tokens').values({ hash: 'x', id: 'x', rule_id: rule.id, expires_at: 1 })),
    );
    const ctx = systemCtx(app.deps);
    await tx(ctx, async (ctx) => {
      const secret = seal(ctx.secretKey, 'export', JSON.stringify({ secret_access_key: 'sesame' }));
      const times = { created_at: 1, last_run_at: null, last_error: null, last_error_at: null, failing_since: null };
      await insertConfiguration.run(ctx.db, {
        ...{ app_id: compass.id, id: ctx.newId(), type: 's3', settings: '{}', secret, entities: '[]' },
        ...{ resource_name: null, resource_group: null, backfill: 0, state: 'Disabled', state_info: null, ...times },
        ...{ failures: 0, due_at: null, last_window: 0, logs_after: 0, reports_after: 0 },
        ...{ reports_left: null, plan: null },
      });
      const sealed_parameters = sealParameters(ctx, { test_env: 'PASSWORD=sesame' });
      await insertRun.run(ctx.db, { ...emptyRun(ctx, compass.id), sealed_parameters });
    });

    /** Rows of the app, or of the webhook, with their sealed values. */
    const read = async (name: string) => {
      const [table = '', column = ''] = name.split('.');
      const rows = await app.database.query<{ value: string | null }>(
        () =>
          ({
            compile: () => CompiledQuery.raw(`SELECT ${column} AS value FROM ${table}`),
          }) as never,
      );
      const values = (rows as { value: string | null }[]).flatMap(({ value }) => (value === null ? [] : [value]));
      return values.map((value) => {
        const opened = purposes.map((purpose) => open(app.deps.secretKey, purpose, value));
        return { value, text: opened.find((text) => text !== undefined) ?? value };
      });
    };
    const checked = Object.entries(outcomes).filter(([, outcome]) => outcome === 'cleared' || outcome === 'deleted');
    const before = new Map<string, Awaited<ReturnType<typeof read>>>();
    for (const [name] of checked) before.set(name, await read(name));
    // Tests of runners cover tokens of runners and jobs; user tokens belong to no app.
    const untouched = [...before].flatMap(([name, values]) => (values.length === 0 ? [name] : []));
    expect(untouched).toEqual(['build_repositories.deploy_key', 'runner_jobs.token_hash', 'runners.token_hash']);
    expect((await app.call('POST', '/v0.1/apps/ada/compass/transfer/lighthouse', { token, body: {} })).statusCode).toBe(
      200,
    );
    for (const [name, outcome] of checked) {
      const after = await read(name);
      expect([name, after.filter(({ text }) => text.includes('sesame'))]).toEqual([name, []]);
      const same = after.filter(({ value }) => before.get(name)?.some((was) => was.value === value));
      const isFree = name === 'test_runs.parameters' || name === 'api_tokens.hash';
      if (!isFree) expect([name, same]).toEqual([name, []]);
      if (outcome === 'deleted' && name !== 'api_tokens.hash') expect([name, after]).toEqual([name, []]);
    }
    expect(await read('api_tokens.app_id')).toEqual([]);
    const config = (await app.call('GET', '/v0.1/apps/lighthouse/compass/branches/main/config', { token })).json();
    expect(config).toMatchObject({
      toolsets: { custom: { commands: ['make'] }, android: { keyAlias: 'upload' } },
      environmentVariables: [{ name: 'STAGE', value: 'beta' }],
    });
    expect(config.toolsets.android).not.toHaveProperty('keyPassword');
    const home = `/v0.1/apps/lighthouse/compass/webhooks/${webhookId}`;
    expect((await app.call('GET', home, { token })).json()).toMatchObject({
      url: 'https://127.0.0.1/',
      enabled: false,
    });
    const enable = (body: object) => app.call('PATCH', home, { token, body: { enabled: true, ...body } });
    expect((await enable({})).statusCode).toBe(400);
    expect((await enable({ url: 'https://127.0.0.1/hooks/open' })).statusCode).toBe(200);
  });
});

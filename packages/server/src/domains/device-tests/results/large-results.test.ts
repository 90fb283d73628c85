import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { ended, withTests } from '../../../../test/harness/test-runs.ts';
import { type ProcessKind, type Share, WorkerLimit } from '../../../workers/index.ts';

const CLASSES = 3000;
const largeReport = (name = 'Class') =>
  `<testsuite>${Array.from({ length: CLASSES }, (_, at) => `<testcase classname="${name}${at}" name="works">${at % 10 === 0 ? '<failure message="no"/>' : ''}</testcase>`).join('')}</testsuite>`;

/** An app, and the requests to its results process. */
async function withResults(dialect: Parameters<typeof withTests>[0]) {
  const made = await withTests(dialect, []);
  const requests: string[] = [];
  const { workers } = made.app.deps;
  const start = workers.process.bind(workers);
  vi.spyOn(workers, 'process').mockImplementation(<Q, A>(kind: ProcessKind<Q, A>) => {
    const { request: send, close } = start(kind);
    return {
      request(request: Q, share: Share) {
        requests.push((request as { name: string }).name);
        return send(request, share);
      },
      close,
    };
  });
  const importXml = (xml: string) =>
    made.app.call('POST', '/v0.1/apps/ada/compass/test_runs/import', {
      token: made.token,
      body: xml,
      headers: { 'content-type': 'application/xml' },
    });
  return { ...made, requests, importXml };
}

eachDatabase('large test results', (dialect) => {
  test('reads a large report in another process, and prepares it once', async () => {
    const { requests, importXml, call, report, app } = await withResults(dialect);
    const imported = await importXml(largeReport());
    expect(imported.statusCode).toBe(201);
    expect(imported.json().stats).toMatchObject({ total: CLASSES, failed: CLASSES / 10 });
    expect(requests.splice(0)).toEqual(['readImport', 'count']);
    const { id } = imported.json();

    const [first, second] = await Promise.all([report(id), report(id)]);
    expect(requests.splice(0).toSorted()).toEqual(['pack', 'report']);
    expect(first.features).toHaveLength(CLASSES);
    expect(first.features[10]).toMatchObject({ name: 'Class10', failed: 1, tests: [{ testName: 'works' }] });
    expect(second).toEqual(first);
    expect(await report(id)).toEqual(first);
    expect(requests).toEqual([]);
    const zip = await app.call('GET', new URL(first.stats.artifacts.junit_xml_zip).pathname);
    expect(zip.statusCode).toBe(200);

    const results = await call('GET', `/test_runs/${id}/results`);
    expect(results.body.tests).toHaveLength(CLASSES);
    expect(results.body.tests[0]).toMatchObject({ suite: 'Class0', outcomes: [{ status: 'failed', message: 'no' }] });
    expect(results.body.devices[0].files).toEqual([]);
    const { step_report_url: url } = first.features[2999].tests[0].runs[0].steps[0];
    const step = await call('GET', new URL(url).pathname.replace('/v0.1/apps/ada/compass', ''));
    expect(step.body).toMatchObject({ name: 'works' });
    expect(requests.splice(0)).toEqual(['results', 'step']);
  });

  test('compares large runs in another process, and shows the history of tests', async () => {
    const { requests, importXml, call } = await withResults(dialect);
    await importXml(largeReport());
    const { id } = (await importXml(largeReport().replaceAll('<failure message="no"/>', ''))).json();
    requests.splice(0);
    const compared = await call('GET', `/test_runs/${id}/compare`);
    expect(compared.body.tests).toHaveLength(CLASSES / 10);
    expect(compared.body.tests[0]).toEqual({
      suite: 'Class0',
      test: 'works',
      change: 'fixed',
      before: 'failed',
      now: 'passed',
    });
    const { body } = await call('GET', `/test_runs/${id}/results`);
    expect(body.tests[0]).toMatchObject({ suite: 'Class0', history: ['failed'] });
    expect(requests).toEqual(['compare', 'results']);
  });

  test('ends a run with many results without a transaction that waits for another process', async () => {
    const { app, start, take, call } = await withTests(dialect);
    const { id } = await start();
    const { db, workers } = app.deps;
    let open = 0;
    const transaction = db.transaction.bind(db);
    vi.spyOn(db, 'transaction').mockImplementation(async (work) => {
      open += 1;
      try {
        return await transaction(work);
      } finally {
        open -= 1;
      }
    });
    const openCounts: number[] = [];
    const process = workers.process.bind(workers);
    vi.spyOn(workers, 'process').mockImplementation(<Q, A>(kind: ProcessKind<Q, A>) => {
      const { request: send, close } = process(kind);
      return {
        request(request: Q, share: Share) {
          openCounts.push(open);
          return send(request, share);
        },
        close,
      };
    });
    const stack = 'x'.repeat(2000);
    const results = Array.from({ length: 100 }, (_, at) =>
      ended(`test${at}`, at === 0 ? 'failed' : 'passed', { stack }),
    );
    for (const _device of [0, 1]) {
      const { events, finish } = await take();
      expect(await events(0, results)).toMatchObject({ status: 200 });
      expect((await finish()).status).toBeLessThan(300);
    }
    expect((await call('GET', `/test_runs/${id}`)).body).toMatchObject({
      resultStatus: 'failed',
      stats: { total: 100 },
    });
    expect(openCounts.length).toBeGreaterThan(0);
    expect(openCounts.filter((count) => count > 0)).toEqual([]);
  });

  test('ends a run whose results are too large to count as an error', async () => {
    const { app, start, take, call } = await withTests(dialect);
    const { id } = await start();
    const { workers } = app.deps;
    const process = workers.process.bind(workers);
    vi.spyOn(workers, 'process').mockImplementation(<Q, A>(kind: ProcessKind<Q, A>) => {
      const failWork = () => Promise.reject(new WorkerLimit('It took more than 768 MB of memory.'));
      return { request: failWork, close: process(kind).close };
    });
    const results = Array.from({ length: 100 }, (_, at) => ended(`test${at}`, 'passed', { stack: 'x'.repeat(2000) }));
    for (const _device of [0, 1]) {
      const { events, finish } = await take();
      expect(await events(0, results)).toMatchObject({ status: 200 });
      expect((await finish()).status).toBeLessThan(300);
    }
    expect((await call('GET', `/test_runs/${id}`)).body).toMatchObject({ resultStatus: 'error', stats: { total: 0 } });
  });

  test('answers other requests while it reads a large report', async () => {
    const { importXml } = await withResults(dialect);
    let turns = 0;
    let isDone = false;
    const done = importXml(largeReport()).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await setImmediate();
      turns += 1;
    }
    expect((await done).statusCode).toBe(201);
    expect(turns).toBeGreaterThan(20);
  });

  test('refuses a broken or hostile report that is large, and says why', async () => {
    const { importXml } = await withResults(dialect);
    const refusals = [
      [`<testsuite><testcase name="${'&amp;'.repeat(300_000)}"/></testsuite>`, 'longer than 1048576 characters'],
      [
        `<testsuite ${Array.from({ length: 20_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
        'more than 1000 attributes',
      ],
      [`<testsuite>${'<testcase/>'.repeat(50_001)}</testsuite>`, 'at most 50000 tests'],
      [`<testsuite>${'<a>'.repeat(50_000)}`, 'deeper than 100'],
      [`<testsuite>${'x'.repeat(100_000)}</testsuite>`, 'has no tests'],
    ] as const;
    for (const [xml, reason] of refusals) {
      const response = await importXml(xml);
      expect([response.statusCode, response.json().error.message]).toEqual([400, expect.stringContaining(reason)]);
    }
  });
});

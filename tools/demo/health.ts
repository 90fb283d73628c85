import {
  azureSubscription_linkForApp,
  type EventInput,
  HealthEvent_Publish,
  HealthEvent_Update,
  HealthEvent_Withdraw,
  HealthFeeds_Create,
  HealthWebhooks_Create,
  HealthWebhooks_Test,
  healthOperators_add,
  SubscriptionReaders_Add,
  Subscriptions_Save,
} from '@mooring/contract';
import type { Static } from 'typebox';
import { DAY, HOUR, MINUTE, toIso } from '../../packages/server/src/kernel/clock.ts';
import { getFirstDay, getManager, isOrgApp, toAppPath } from './community.ts';
import { type Incident, incidents, type Notice, notices, regions } from './incidents.ts';
import { apps, type OrgName } from './orgs.ts';
import { cast } from './people.ts';
import type { Story } from './plot.ts';

const query = { 'api-version': '2024-02-01' };
const operator = cast.operator.name;

interface DemoSubscription {
  id: string;
  name: string;
  org: OrgName;
}

const formatId = (n: number): string => `5a17ab1e-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const subscriptions: DemoSubscription[] = [
  { id: formatId(1), name: 'Saltmarsh production', org: 'saltmarsh' },
  { id: formatId(2), name: 'Saltmarsh staging', org: 'saltmarsh' },
  { id: formatId(3), name: 'Brindlewood production', org: 'brindlewood' },
  { id: formatId(4), name: 'Lanternfall live', org: 'copperline' },
];

function planSubscriptions({ stage, at }: Story): void {
  const admin = cast.administrator.name;
  for (const [n, { id, name, org }] of subscriptions.entries()) {
    stage.plan(at(40 + n, 10), async () => {
      const body = { displayName: name, tenantId: formatId(900 + n), owner: org };
      await (await stage.as(admin))(Subscriptions_Save, { params: { subscriptionId: id }, query, body });
    });
    for (const app of apps.filter((app) => isOrgApp(app) && app.owner === org && id !== formatId(2))) {
      stage.plan(at(Math.max(getFirstDay(app), 45) + 1, 10), async () => {
        const call = await stage.as(getManager(app));
        await call(azureSubscription_linkForApp, { params: toAppPath(app), body: { subscription_id: id } });
      });
    }
  }
  stage.plan(at(46, 10), async () => {
    const call = await stage.as(admin);
    await call(healthOperators_add, { body: { user_name: operator } });
    const params = { subscriptionId: formatId(3), userName: cast.developer.name };
    await call(SubscriptionReaders_Add, { params, query, body: {} });
  });
}

/** The age of the developer's webhook at the end of the story. */
const HOOKED = 20 * DAY;

function planOutlets({ stage, at, days }: Story): void {
  const params = { subscriptionId: formatId(1) };
  stage.plan(at(days, 0) - HOOKED, async () => {
    const call = await stage.as(cast.developer.name);
    const body = { url: 'https://hooks.saltmarsh.example/health', filter: "eventType eq 'ServiceIssue'" };
    const { id } = await call(HealthWebhooks_Create, { params, query, body });
    await call(HealthWebhooks_Test, { params: { ...params, webhookId: id }, query });
    await call(HealthFeeds_Create, { params, query, body: {} });
  });
}

type EventFields = Static<typeof EventInput>;

/** MOOR-7KQ: easy to say on the phone. */
function trackingIds(): () => string {
  const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  let made = 0;
  return () => {
    made += 1;
    const mixed = (made * 7919 + 4099) % 32 ** 3;
    const sign = (n: number) => signs[Math.floor(mixed / 32 ** n) % 32];
    return `MOOR-${sign(2)}${sign(1)}${sign(0)}`;
  };
}

/** 18 months of incidents with their updates and reviews, maintenance and advisories. */
export function planHealth(story: Story): void {
  const { stage, chance, at, days } = story;
  const nextId = trackingIds();
  planSubscriptions(story);
  planOutlets(story);

  /** Deliveries that are due are sent now, not at the story's next pause. */
  const report = async () => {
    if (stage.now() > at(days, 0) - HOOKED) await stage.runJobs();
  };
  const publish = async (trackingId: string, properties: EventFields): Promise<void> => {
    await (await stage.as(operator))(HealthEvent_Publish, {
      params: { trackingId },
      query,
      headers: {},
      body: { properties },
    });
    await report();
  };

  function planIncident(incident: Incident, start: number, where: string[], isOver: boolean, only?: string): void {
    const { service, level, title, summary, updates, cause, remedy, advice } = incident;
    const trackingId = nextId();
    const step = chance.between(15, 95) * MINUTE;
    const named = where.length > 2 ? 'several regions' : where.join(' and ');
    const impactedRegions = where.map((impactedRegion) => ({
      impactedRegion,
      ...(only ? { impactedSubscriptions: [only] } : {}),
      updates: [{ summary: updates[0] ?? summary }],
    }));
    stage.plan(start + 6 * MINUTE, () =>
      publish(trackingId, {
        eventType: 'ServiceIssue',
        eventSource: 'ServiceHealth',
        title: `${title} (${named})`,
        header: `${service}: ${title}`,
        summary,
        eventLevel: level,
        level: level === 'Critical' ? 'Critical' : 'Warning',
        impactType: level === 'Critical' ? 'Outage' : 'Degraded',
        impactStartTime: toIso(start),
        isHIR: level === 'Critical' && where.length > 2,
        impact: [{ impactedService: service, impactedRegions }],
        recommendedActions: { message: 'Recommended actions', actions: [{ actionText: advice, groupId: 1 }] },
        faqs: [{ question: 'Do I need to do anything?', answer: advice }],
      }),
    );
    const later = isOver ? updates.slice(1) : updates.slice(1, 2);
    for (const [n, summary] of later.entries()) {
      for (const [k, region] of where.entries()) {
        const isLast = isOver && n === later.length - 1;
        const body = { service, region, summary, ...(isLast ? { status: 'Resolved' as const } : {}) };
        stage.plan(start + (n + 1) * step + k * 7 * MINUTE, async () => {
          await (await stage.as(operator))(HealthEvent_Update, { params: { trackingId }, query, headers: {}, body });
          await report();
        });
      }
    }
    const end = start + later.length * step + where.length * 7 * MINUTE;
    const reviewed = end + chance.between(3, 6) * DAY;
    if (!isOver || level === 'Warning' || reviewed > at(days, 0)) return;
    stage.plan(reviewed, () =>
      publish(`${trackingId}-RCA`, {
        eventType: 'RCA',
        eventSource: 'ServiceHealth',
        status: 'Resolved',
        title: `What happened: ${title.charAt(0).toLowerCase()}${title.slice(1)} (${named})`,
        summary: cause,
        description: `${summary} ${cause} ${remedy}`,
        eventLevel: 'Informational',
        externalIncidentId: trackingId,
        impactStartTime: toIso(start),
        impactMitigationTime: toIso(end),
        impact: [
          {
            impactedService: service,
            impactedRegions: impactedRegions.map(({ updates: _, ...region }) => ({
              ...region,
              status: 'Resolved' as const,
            })),
          },
        ],
        article: {
          articleId: `${trackingId}-review`,
          articleContent: `<h2>What happened</h2><p>${summary}</p><h2>Why</h2><p>${cause}</p><h2>Prevention</h2><p>${remedy}</p>`,
        },
        additionalInformation: { message: `This is the post-incident review of ${trackingId}.` },
      }),
    );
  }

  function planNotice(notice: Notice, announced: number, start: number, where: string[]): void {
    const { eventType, level, service, title, summary, hours } = notice;
    const trackingId = nextId();
    const end = start + hours * HOUR;
    const impact = [{ impactedService: service, impactedRegions: where.map((impactedRegion) => ({ impactedRegion })) }];
    const fields: EventFields = {
      eventType,
      eventSource: 'ServiceHealth',
      title,
      summary,
      eventLevel: level,
      impactType: eventType === 'PlannedMaintenance' ? 'Maintenance' : 'Change',
      impactStartTime: toIso(start),
      impactMitigationTime: toIso(end),
      platformInitiated: eventType === 'PlannedMaintenance',
      impact,
    };
    stage.plan(announced, () => publish(trackingId, fields));
    if (end > at(days, 0)) return;
    stage.plan(end, async () => {
      for (const region of where) {
        const body = { service, region, summary: 'Completed.', status: 'Resolved' as const };
        await (await stage.as(operator))(HealthEvent_Update, { params: { trackingId }, query, headers: {}, body });
      }
    });
  }

  const someRegions = (most: number) => chance.some(regions, chance.between(1, most));
  for (let day = 50, n = 0; day < days - 4; day += chance.between(4, 10), n++) {
    const incident = incidents[(n * 3 + chance.between(0, 1)) % incidents.length] as Incident;
    const only = n % 9 === 5 ? chance.pick(subscriptions).id : undefined;
    planIncident(incident, at(day, chance.between(0, 22)), someRegions(3), true, only);
  }
  for (let day = 60, n = 0; day < days - 50; day += chance.between(24, 40), n++) {
    const notice = notices[n % notices.length] as Notice;
    planNotice(notice, at(day, 9), at(day + chance.between(5, 12), 2), someRegions(4));
  }

  const end = at(days, 0);
  const [signIn, releases, , , , push] = incidents as [Incident, Incident, Incident, Incident, Incident, Incident];
  planIncident(push, end - 3 * HOUR, ['Europe West', 'Europe North'], false);
  planIncident(releases, end - 26 * HOUR, ['Asia South'], false);
  planIncident(signIn, end - 9 * DAY, ['America East', 'America West', 'Pacific'], true);
  const [machines, database, , , certificates] = notices as [Notice, Notice, Notice, Notice, Notice];
  planNotice(machines, end - 2 * DAY, end + 5 * DAY, ['Europe West', 'America East']);
  planNotice(database, end - 8 * HOUR, end + 12 * DAY, [...regions]);
  planNotice(certificates, end - 10 * DAY, end - 9 * DAY, [...regions]);
  const early = nextId();
  stage.plan(end - 40 * MINUTE, () =>
    publish(early, {
      eventType: 'EmergingIssues',
      eventSource: 'ServiceHealth',
      title: 'Investigating: slow charts',
      summary:
        'Some users wait a long time for charts of the last 90 days. We are investigating how many are affected.',
      eventLevel: 'Warning',
      impact: [{ impactedService: 'Analytics', impactedRegions: [{ impactedRegion: 'Europe North' }] }],
    }),
  );
  const mistaken = nextId();
  const title = 'Test of the alerting chain, please ignore';
  stage.plan(at(300, 10), () => publish(mistaken, { eventType: 'ServiceIssue', title }));
  stage.plan(at(300, 10) + 4 * MINUTE, async () => {
    await (await stage.as(operator))(HealthEvent_Withdraw, { params: { trackingId: mistaken }, query, headers: {} });
  });
}

export const services = [
  'Sign-in',
  'Releases',
  'Distribution',
  'Crash Reports',
  'Analytics',
  'Push Notifications',
  'Build Queue',
  'Public API',
] as const;

export const regions = [
  'Europe North',
  'Europe West',
  'America East',
  'America West',
  'Asia South',
  'Pacific',
] as const;

export type Service = (typeof services)[number];
export type Level = 'Critical' | 'Error' | 'Warning' | 'Informational';

export interface Incident {
  service: Service;
  level: Level;
  title: string;
  summary: string;
  /** Updates during the incident, and the resolution. */
  updates: string[];
  cause: string;
  remedy: string;
  advice: string;
}

/** The incidents; times and places are random. */
export const incidents: Incident[] = [
  {
    service: 'Sign-in',
    level: 'Critical',
    title: 'Sign-in failures',
    summary: 'New sign-ins fail with an error. Users who are already signed in are not affected.',
    updates: [
      'About half of all sign-ins fail. We are investigating the cause.',
      'The session store does not accept writes. We are failing over to its standby.',
      'The standby has taken over and sign-ins work again. We continue to monitor.',
    ],
    cause:
      'A disk of the session store filled up, because log rotation stopped deleting old files after they were renamed.',
    remedy: 'Rotation now deletes files by age, and we are alerted at 70% disk usage instead of 90%.',
    advice: 'API tokens are not affected; scripts need no changes.',
  },
  {
    service: 'Releases',
    level: 'Error',
    title: 'Uploads of large releases time out',
    summary: 'Uploads of files over 500 MB stop near their end.',
    updates: [
      'Uploads over 500 MB fail. Smaller uploads are not affected.',
      'A proxy closes connections after ten minutes. We are raising this limit.',
      'The limit is raised in all regions, and uploads succeed again.',
    ],
    cause: 'An update of the proxy restored its default limit for the duration of requests.',
    remedy: 'The limit is now part of our verified configuration, and a test uploads a large file every hour.',
    advice: 'Repeat failed uploads; nothing was stored.',
  },
  {
    service: 'Distribution',
    level: 'Error',
    title: 'Download links return 404',
    summary: 'Links to releases created in the last hour lead to an error page.',
    updates: [
      'Testers report broken links. We can reproduce the problem.',
      'Replication of new releases is delayed in this region. We are working through the backlog.',
      'All releases are replicated; links work.',
    ],
    cause: 'Replication between regions stopped after a certificate was renewed.',
    remedy: 'The replication service now loads new certificates without a restart.',
    advice: 'Ask testers to open the link again; they need no new invitation.',
  },
  {
    service: 'Crash Reports',
    level: 'Warning',
    title: 'Delayed crash reports',
    summary: 'Crash reports are accepted, but appear with a delay of up to two hours.',
    updates: [
      'Processing of crash reports is delayed.',
      'One app sends an unusual number of reports. We now process its reports separately.',
      'The delay is below a minute again. No reports were lost.',
    ],
    cause: 'All apps shared one queue, so a single app could delay the others.',
    remedy: 'Each app now has its own share of the queue.',
    advice: 'Do not resend reports; all of them will appear.',
  },
  {
    service: 'Analytics',
    level: 'Warning',
    title: 'Active devices are undercounted',
    summary: 'Since midnight, charts count only some of the devices.',
    updates: [
      "Today's charts are incomplete. Previous days are correct.",
      'The nightly aggregation ran twice and removed some rows. We are recomputing them.',
      'All aggregates are recomputed and the charts are correct.',
    ],
    cause: 'A job ran on two machines simultaneously, because their clocks differed by more than its lease.',
    remedy: 'Leases now use the clock of the database only.',
    advice: "Repeat today's exports of reports.",
  },
  {
    service: 'Push Notifications',
    level: 'Error',
    title: 'Push notifications not delivered to some devices',
    summary: 'Messages are accepted, but about one in ten does not reach its device.',
    updates: [
      'Deliveries to one of the platforms fail. We have contacted the provider.',
      'The provider rejected one of our keys. We are rolling out a new one.',
      'Delivery is back to normal. Messages from the last few hours were sent again.',
    ],
    cause: 'A signing key expired one day before its planned renewal because of a wrong time zone.',
    remedy: 'Keys are now renewed a month ahead, and their expiry is on our dashboard.',
    advice: 'Do not resend campaigns; users would receive them twice.',
  },
  {
    service: 'Build Queue',
    level: 'Warning',
    title: 'Builds are queued longer than usual',
    summary: 'Builds start with a delay of up to 40 minutes.',
    updates: [
      'The build queue is growing faster than builds complete.',
      'A third of the machines did not restart after an update. We are replacing them.',
      'The queue is empty and builds start immediately.',
    ],
    cause: 'The image of the build machines failed to start on one type of hardware.',
    remedy: 'Images are now tested on all types of hardware before the rollout.',
    advice: 'You do not need to restart builds.',
  },
  {
    service: 'Public API',
    level: 'Critical',
    title: 'API errors',
    summary: 'Between 20% and 60% of requests fail with the status 503.',
    updates: [
      'We see an elevated error rate and are investigating.',
      'A routing change sends too many requests to one server. We are reverting it.',
      'Errors have stopped since the change was reverted.',
      'We have monitored the API for an hour; the incident is resolved.',
    ],
    cause: 'A new routing rule sent all traffic to the first server of each list.',
    remedy: 'Routing rules are now tested with 1% of the traffic for ten minutes.',
    advice: 'Repeat requests that failed with 503, after the time in Retry-After.',
  },
];

export interface Notice {
  eventType: 'PlannedMaintenance' | 'HealthAdvisory' | 'SecurityAdvisory';
  level: Level;
  service: Service;
  title: string;
  summary: string;
  /** The duration. */
  hours: number;
}

export const notices: Notice[] = [
  {
    eventType: 'PlannedMaintenance',
    level: 'Informational',
    service: 'Build Queue',
    title: 'Replacement of build machines',
    summary: 'Builds pause for up to 20 minutes while machines are replaced, one region after the other.',
    hours: 4,
  },
  {
    eventType: 'PlannedMaintenance',
    level: 'Warning',
    service: 'Sign-in',
    title: 'Database migration of the sign-in service',
    summary: 'Sign-in is unavailable for about five minutes. Sessions and tokens stay valid.',
    hours: 1,
  },
  {
    eventType: 'PlannedMaintenance',
    level: 'Informational',
    service: 'Analytics',
    title: 'Recomputation of charts',
    summary: 'Charts may lag by a few hours while historical data is moved to cheaper storage.',
    hours: 12,
  },
  {
    eventType: 'HealthAdvisory',
    level: 'Informational',
    service: 'Public API',
    title: 'TLS 1.1 is being retired',
    summary: 'Clients need TLS 1.2 or newer. Fewer than one request in ten thousand is affected.',
    hours: 24 * 30,
  },
  {
    eventType: 'HealthAdvisory',
    level: 'Warning',
    service: 'Push Notifications',
    title: 'Old push certificates are being retired',
    summary: 'Certificates that were uploaded before last year must be replaced by keys.',
    hours: 24 * 45,
  },
  {
    eventType: 'SecurityAdvisory',
    level: 'Warning',
    service: 'Releases',
    title: 'Update the upload tool',
    summary: 'Versions before 2.4 write the upload URL to their log. The URL is valid for only an hour.',
    hours: 24 * 21,
  },
];

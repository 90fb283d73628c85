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
  /** What is said while it lasts, and at its end. */
  updates: string[];
  cause: string;
  remedy: string;
  advice: string;
}

/** What breaks; where and when is left to chance. */
export const incidents: Incident[] = [
  {
    service: 'Sign-in',
    level: 'Critical',
    title: 'People cannot sign in',
    summary: 'New sign-ins fail with an error. Whoever is signed in already can go on working.',
    updates: [
      'We see that about half of all sign-ins fail, and are looking for the reason.',
      'The session store does not accept writes. We are moving it to its standby.',
      'The standby has taken over and sign-ins work again. We keep watching.',
    ],
    cause:
      'A disk of the session store filled up because old log files were no longer removed after a change of their names.',
    remedy: 'The removal goes by age now, and an alarm rings at 70 % instead of 90 %.',
    advice: 'API tokens are not affected; scripts need no change.',
  },
  {
    service: 'Releases',
    level: 'Error',
    title: 'Uploads of large releases time out',
    summary: 'Files above 500 MB stop near the end of the upload.',
    updates: [
      'Uploads above 500 MB fail. Smaller ones are fine.',
      'A proxy closes connections after ten minutes. We are raising that limit.',
      'The limit is raised everywhere and uploads complete again.',
    ],
    cause: 'An update of the proxy brought back its default limit for the length of a request.',
    remedy: 'The limit is part of the checked configuration, and a test uploads a large file every hour.',
    advice: 'Repeat uploads that failed; nothing of them was kept.',
  },
  {
    service: 'Distribution',
    level: 'Error',
    title: 'Download links answer "not found"',
    summary: 'Links to releases that were made in the last hour lead to an error page.',
    updates: [
      'Testers report dead links. We can see the same.',
      'Copies of new releases are late in this region. We are working through the queue.',
      'All releases have arrived; links work.',
    ],
    cause: 'The queue that copies files between regions stood still after a certificate was renewed.',
    remedy: 'The copying process reads new certificates without a restart.',
    advice: 'Ask testers to open the link again; no new invitation is needed.',
  },
  {
    service: 'Crash Reports',
    level: 'Warning',
    title: 'Crash reports appear late',
    summary: 'Reports are taken in, and show up with a delay of up to two hours.',
    updates: [
      'Reports wait longer than usual before they are processed.',
      'One app sends unusually many reports. We process its reports separately now.',
      'The delay is below a minute again. No report was lost.',
    ],
    cause: 'All apps shared one queue, so that one of them could delay the others.',
    remedy: 'Each app has its own share of the queue.',
    advice: 'Do not resend reports; all of them will appear.',
  },
  {
    service: 'Analytics',
    level: 'Warning',
    title: 'Numbers of active devices are too low',
    summary: 'Since midnight, charts count only some of the devices.',
    updates: [
      'The charts of today are incomplete. Those of the days before are right.',
      'The nightly sums ran twice and removed some rows. We are computing them again.',
      'All sums are computed again and the charts are right.',
    ],
    cause: 'A job ran on two machines at once after their clocks differed by more than its lease.',
    remedy: 'The lease is decided by the database alone.',
    advice: 'Export reports of today again.',
  },
  {
    service: 'Push Notifications',
    level: 'Error',
    title: 'Notifications to some devices are not delivered',
    summary: 'Messages are accepted, and about one in ten does not reach its device.',
    updates: [
      'We see failures towards one of the platforms and are in contact with it.',
      'A key of ours was refused. A new one is being rolled out.',
      'Delivery is back to normal. Messages of the last hours were sent again.',
    ],
    cause: 'A signing key ran out one day before its planned renewal because of a wrong time zone.',
    remedy: 'Keys are renewed a month ahead, and their end is on the status board.',
    advice: 'Do not resend campaigns; that would deliver them twice.',
  },
  {
    service: 'Build Queue',
    level: 'Warning',
    title: 'Builds wait longer than usual',
    summary: 'Builds start after up to 40 minutes.',
    updates: [
      'The queue grows faster than it is worked off.',
      'A third of the machines did not come back after an update. We are replacing them.',
      'The queue is empty and builds start at once.',
    ],
    cause: 'The image of the build machines could not start on one type of hardware.',
    remedy: 'Images are started on each type of hardware before they are rolled out.',
    advice: 'Builds need not be started again.',
  },
  {
    service: 'Public API',
    level: 'Critical',
    title: 'The API answers with errors',
    summary: 'Between 20 % and 60 % of requests get the status 503.',
    updates: [
      'We are seeing many errors and are looking into it.',
      'A change of the routing sends too many requests to one place. It is being taken back.',
      'Errors have stopped since the change was taken back.',
      'We have watched for an hour, and consider this closed.',
    ],
    cause: 'A new routing rule gave all of its weight to the first server of each list.',
    remedy: 'Rules are tried on a hundredth of the traffic first, for ten minutes.',
    advice: 'Repeat requests that failed with 503, after the time in Retry-After.',
  },
];

export interface Notice {
  eventType: 'PlannedMaintenance' | 'HealthAdvisory' | 'SecurityAdvisory';
  level: Level;
  service: Service;
  title: string;
  summary: string;
  /** How long it lasts. */
  hours: number;
}

export const notices: Notice[] = [
  {
    eventType: 'PlannedMaintenance',
    level: 'Informational',
    service: 'Build Queue',
    title: 'New build machines',
    summary: 'Builds pause for up to 20 minutes while machines are exchanged, one region after the other.',
    hours: 4,
  },
  {
    eventType: 'PlannedMaintenance',
    level: 'Warning',
    service: 'Sign-in',
    title: 'Database of the sign-in service moves',
    summary: 'Sign-in is not available for about five minutes. Sessions and tokens stay valid.',
    hours: 1,
  },
  {
    eventType: 'PlannedMaintenance',
    level: 'Informational',
    service: 'Analytics',
    title: 'Charts are computed anew',
    summary: 'Charts may lag behind by a few hours while old data are moved to cheaper storage.',
    hours: 12,
  },
  {
    eventType: 'HealthAdvisory',
    level: 'Informational',
    service: 'Public API',
    title: 'TLS 1.1 is switched off',
    summary: 'Clients need TLS 1.2 or newer. Less than one request in ten thousand is concerned.',
    hours: 24 * 30,
  },
  {
    eventType: 'HealthAdvisory',
    level: 'Warning',
    service: 'Push Notifications',
    title: 'Old push certificates stop working',
    summary: 'Certificates that were uploaded before last year must be replaced by keys.',
    hours: 24 * 45,
  },
  {
    eventType: 'SecurityAdvisory',
    level: 'Warning',
    service: 'Releases',
    title: 'Please update the upload tool',
    summary: 'Versions before 2.4 write the upload address into their log. The address is valid for an hour only.',
    hours: 24 * 21,
  },
];

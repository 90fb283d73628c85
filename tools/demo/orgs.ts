import type { AppOs, AppPlatform, GrantablePermission } from '@mooring/contract';

export const orgs = {
  saltmarsh: { displayName: 'Saltmarsh Ferries', domain: 'saltmarsh.example', founder: 'administrator', day: 0 },
  brindlewood: { displayName: 'Brindlewood Clinics', domain: 'brindlewood.example', founder: 'clinics', day: 15 },
  copperline: { displayName: 'Copperline Studio', domain: 'copperline.example', founder: 'studio', day: 36 },
} as const;

export type OrgName = keyof typeof orgs;
export const orgNames = Object.keys(orgs) as OrgName[];

export interface Team {
  name: string;
  displayName: string;
  permission: GrantablePermission;
  /** Apps by name prefix. */
  apps: string[];
}

/** The teams of each organization, and their apps. */
export const teams: Record<OrgName, Team[]> = {
  saltmarsh: [
    { name: 'passengers', displayName: 'Passenger apps', permission: 'developer', apps: ['timetable', 'tickets'] },
    {
      name: 'on-board',
      displayName: 'On board',
      permission: 'developer',
      apps: ['deckhand', 'bridge', 'wake', 'crew'],
    },
    { name: 'piers', displayName: 'Piers', permission: 'developer', apps: ['harbour', 'pier', 'gangway', 'departure'] },
    {
      name: 'releases',
      displayName: 'Release captains',
      permission: 'manager',
      apps: ['timetable', 'tickets', 'pier'],
    },
    {
      name: 'care',
      displayName: 'Customer care',
      permission: 'viewer',
      apps: ['timetable', 'tickets', 'harbour', 'departure', 'cargo'],
    },
  ],
  brindlewood: [
    { name: 'patients', displayName: 'Patient apps', permission: 'developer', apps: ['my-', 'physio', 'dose'] },
    { name: 'wards', displayName: 'Wards', permission: 'developer', apps: ['ward', 'lab', 'rota'] },
    { name: 'quality', displayName: 'Quality and safety', permission: 'viewer', apps: ['my-', 'ward', 'dose', 'lab'] },
  ],
  copperline: [
    { name: 'game', displayName: 'Lanternfall', permission: 'developer', apps: ['lanternfall'] },
    { name: 'tools', displayName: 'Tools', permission: 'manager', apps: ['level', 'playtest', 'sprite'] },
    { name: 'community', displayName: 'Community', permission: 'viewer', apps: ['lanternfall'] },
  ],
};

export interface DemoApp {
  owner: OrgName | 'tomas' | 'ingrid' | 'juno';
  name: string;
  displayName: string;
  os: AppOs;
  platform: AppPlatform;
  description: string;
}

type Row = [name: string, displayName: string, os: AppOs, platform: AppPlatform, description: string];

const rows: Record<DemoApp['owner'], Row[]> = {
  saltmarsh: [
    ['timetable-ios', 'Timetable', 'iOS', 'Objective-C-Swift', 'Departures, delays and weather for every pier.'],
    ['timetable-android', 'Timetable', 'Android', 'Java', 'Departures, delays and weather for every pier.'],
    ['tickets-ios', 'Ferry Tickets', 'iOS', 'React-Native', 'Buy a crossing and board with a code.'],
    ['tickets-android', 'Ferry Tickets', 'Android', 'React-Native', 'Buy a crossing and board with a code.'],
    ['deckhand', 'Deckhand', 'Android', 'Xamarin', 'Checklists for the crew, also offline.'],
    ['bridge-console', 'Bridge Console', 'Windows', 'WPF', 'Passengers and cargo at a glance, for the bridge.'],
    ['harbour-board', 'Harbor Board', 'Linux', 'Electron', 'Large departure boards at the harbors.'],
    ['pier-kiosk', 'Pier Kiosk', 'Windows', 'UWP', 'Ticket machines at the piers.'],
    ['gangway-scanner', 'Gangway Scanner', 'Android', 'Cordova', 'Scans tickets at the gangway.'],
    ['wake-watch', 'Wake Watch', 'Tizen', 'Xamarin', 'Crew calls on the wrist.'],
    ['crew-rota', 'Crew Rota', 'macOS', 'Electron', 'Shift plans for crews.'],
    ['cargo-desk', 'Cargo Desk', 'Windows', 'WinForms', 'Bookings for trucks; to be replaced.'],
    ['departure-tv', 'Departure TV', 'tvOS', 'Objective-C-Swift', 'Departures for hotels and cafés.'],
    ['buoy-telemetry', 'Buoy Telemetry', 'Custom', 'Custom', 'Firmware of the buoys that measure waves.'],
  ],
  brindlewood: [
    ['my-brindlewood-ios', 'My Brindlewood', 'iOS', 'Objective-C-Swift', 'Appointments, letters and results.'],
    ['my-brindlewood-android', 'My Brindlewood', 'Android', 'Java', 'Appointments, letters and results.'],
    ['ward-round-ios', 'Ward Round', 'iOS', 'Xamarin', 'Notes at the bedside.'],
    ['ward-round-android', 'Ward Round', 'Android', 'Xamarin', 'Notes at the bedside.'],
    ['reception-desk', 'Reception Desk', 'Windows', 'WPF', 'Check-in of patients.'],
    ['waiting-room', 'Waiting Room', 'tvOS', 'React-Native', 'Calls patients by number.'],
    ['dose-reminder', 'Dose Reminder', 'Tizen', 'Custom', 'Reminders to take medicine.'],
    ['physio-coach-ios', 'Physio Coach', 'iOS', 'Unity', 'Exercises with automatic counting.'],
    ['physio-coach-android', 'Physio Coach', 'Android', 'Unity', 'Exercises with automatic counting.'],
    ['rota-planner', 'Rota Planner', 'macOS', 'Objective-C-Swift', 'Shift plans without gaps.'],
    ['lab-courier-ios', 'Lab Courier', 'iOS', 'Cordova', 'Tracks samples on their way to the lab.'],
    ['lab-courier-android', 'Lab Courier', 'Android', 'Cordova', 'Tracks samples on their way to the lab.'],
  ],
  copperline: [
    ['lanternfall-android', 'Lanternfall', 'Android', 'Unity', 'A puzzle game about light, for phones.'],
    ['lanternfall-ios', 'Lanternfall', 'iOS', 'Unity', 'A puzzle game about light, for phones.'],
    ['lanternfall-windows', 'Lanternfall', 'Windows', 'Unity', 'A puzzle game about light, for desktops.'],
    ['lanternfall-linux', 'Lanternfall', 'Linux', 'Unity', 'A puzzle game about light, for desktops.'],
    ['lanternfall-macos', 'Lanternfall', 'macOS', 'Unity', 'A puzzle game about light, for desktops.'],
    ['lanternfall-tvos', 'Lanternfall', 'tvOS', 'Unity', 'A puzzle game about light, for TVs.'],
    ['level-forge-windows', 'Level Forge', 'Windows', 'Electron', 'The level editor.'],
    ['level-forge-macos', 'Level Forge', 'macOS', 'Electron', 'The level editor.'],
    ['playtest-recorder', 'Playtest Recorder', 'Windows', 'React-Native', 'Records play sessions, with consent.'],
    ['sprite-mill', 'Sprite Mill', 'Linux', 'Custom', 'Packs sprites at build time.'],
  ],
  tomas: [
    ['tide-clock', 'Tide Clock', 'Android', 'Java', 'High and low water, as a clock face.'],
    ['knot-tutor', 'Knot Tutor', 'iOS', 'React-Native', 'Twelve knots, step by step.'],
  ],
  ingrid: [['cabin-log', 'Cabin Log', 'macOS', 'Xamarin', 'Visits to the cabin and missing supplies.']],
  juno: [['metronome', 'Metronome', 'Windows', 'Cordova', 'A metronome.']],
};

export const apps: DemoApp[] = (Object.keys(rows) as DemoApp['owner'][]).flatMap((owner) =>
  rows[owner].map(([name, displayName, os, platform, description]) => ({
    owner,
    name,
    displayName,
    os,
    platform,
    description,
  })),
);

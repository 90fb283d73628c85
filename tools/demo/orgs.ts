import type { AppOs, AppPlatform, GivenPermission } from '@mooring/contract';

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
  permission: GivenPermission;
  /** Apps by the beginning of their names. */
  apps: string[];
}

/** What each organization's people work in. */
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
    ['timetable-ios', 'Timetable', 'iOS', 'Objective-C-Swift', 'Departures, delays and the weather at every pier.'],
    ['timetable-android', 'Timetable', 'Android', 'Java', 'Departures, delays and the weather at every pier.'],
    ['tickets-ios', 'Ferry Tickets', 'iOS', 'React-Native', 'Buy a crossing, board with a code.'],
    ['tickets-android', 'Ferry Tickets', 'Android', 'React-Native', 'Buy a crossing, board with a code.'],
    ['deckhand', 'Deckhand', 'Android', 'Xamarin', 'Check lists for the crew, also without a network.'],
    ['bridge-console', 'Bridge Console', 'Windows', 'WPF', 'What the bridge sees of passengers and cargo.'],
    ['harbour-board', 'Harbour Board', 'Linux', 'Electron', 'The large departure boards at the harbours.'],
    ['pier-kiosk', 'Pier Kiosk', 'Windows', 'UWP', 'Ticket machines at the piers.'],
    ['gangway-scanner', 'Gangway Scanner', 'Android', 'Cordova', 'Scans tickets at the gangway.'],
    ['wake-watch', 'Wake Watch', 'Tizen', 'Xamarin', 'Calls for the crew, on the wrist.'],
    ['crew-rota', 'Crew Rota', 'macOS', 'Electron', 'Who sails when.'],
    ['cargo-desk', 'Cargo Desk', 'Windows', 'WinForms', 'Bookings for lorries; to be replaced.'],
    ['departure-tv', 'Departure TV', 'tvOS', 'Objective-C-Swift', 'Departures for hotels and cafés.'],
    ['buoy-telemetry', 'Buoy Telemetry', 'Custom', 'Custom', 'Firmware of the buoys that measure waves.'],
  ],
  brindlewood: [
    ['my-brindlewood-ios', 'My Brindlewood', 'iOS', 'Objective-C-Swift', 'Appointments, letters and results.'],
    ['my-brindlewood-android', 'My Brindlewood', 'Android', 'Java', 'Appointments, letters and results.'],
    ['ward-round-ios', 'Ward Round', 'iOS', 'Xamarin', 'Notes at the bedside.'],
    ['ward-round-android', 'Ward Round', 'Android', 'Xamarin', 'Notes at the bedside.'],
    ['reception-desk', 'Reception Desk', 'Windows', 'WPF', 'Who is here, who is next.'],
    ['waiting-room', 'Waiting Room', 'tvOS', 'React-Native', 'Calls patients, by number only.'],
    ['dose-reminder', 'Dose Reminder', 'Tizen', 'Custom', 'A nudge when it is time.'],
    ['physio-coach-ios', 'Physio Coach', 'iOS', 'Unity', 'Exercises that count themselves.'],
    ['physio-coach-android', 'Physio Coach', 'Android', 'Unity', 'Exercises that count themselves.'],
    ['rota-planner', 'Rota Planner', 'macOS', 'Objective-C-Swift', 'Shifts without gaps.'],
    ['lab-courier-ios', 'Lab Courier', 'iOS', 'Cordova', 'Where each sample is.'],
    ['lab-courier-android', 'Lab Courier', 'Android', 'Cordova', 'Where each sample is.'],
  ],
  copperline: [
    ['lanternfall-android', 'Lanternfall', 'Android', 'Unity', 'A game about light, for phones.'],
    ['lanternfall-ios', 'Lanternfall', 'iOS', 'Unity', 'A game about light, for phones.'],
    ['lanternfall-windows', 'Lanternfall', 'Windows', 'Unity', 'A game about light, for desks.'],
    ['lanternfall-linux', 'Lanternfall', 'Linux', 'Unity', 'A game about light, for desks.'],
    ['lanternfall-macos', 'Lanternfall', 'macOS', 'Unity', 'A game about light, for desks.'],
    ['lanternfall-tvos', 'Lanternfall', 'tvOS', 'Unity', 'A game about light, for sofas.'],
    ['level-forge-windows', 'Level Forge', 'Windows', 'Electron', 'The editor of levels.'],
    ['level-forge-macos', 'Level Forge', 'macOS', 'Electron', 'The editor of levels.'],
    ['playtest-recorder', 'Playtest Recorder', 'Windows', 'React-Native', 'Records how people play, if they agree.'],
    ['sprite-mill', 'Sprite Mill', 'Linux', 'Custom', 'Packs pictures, in the build.'],
  ],
  tomas: [
    ['tide-clock', 'Tide Clock', 'Android', 'Java', 'High and low water, as a clock face.'],
    ['knot-tutor', 'Knot Tutor', 'iOS', 'React-Native', 'Twelve knots, step by step.'],
  ],
  ingrid: [['cabin-log', 'Cabin Log', 'macOS', 'Xamarin', 'Who was at the cabin, and what is missing.']],
  juno: [['metronome', 'Metronome', 'Windows', 'Cordova', 'It ticks.']],
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

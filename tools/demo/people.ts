import type { OrgRole } from '@mooring/contract';
import type { Random } from '../samples/random.ts';
import { type OrgName, orgs } from './orgs.ts';

export interface Person {
  name: string;
  displayName: string;
  email: string;
  /** Their organization; none for external testers. */
  org: OrgName | undefined;
  role: OrgRole;
  /** The day on which they registered, counted from the first. */
  day: number;
}

/** People with a part in the story; all others are generated from the tables below. */
export const cast = {
  administrator: { name: 'ingrid', displayName: 'Ingrid Solheim', org: 'saltmarsh', role: 'admin', day: 0 },
  developer: { name: 'tomas', displayName: 'Tomás Oliveira', org: 'saltmarsh', role: 'collaborator', day: 2 },
  viewer: { name: 'priya', displayName: 'Priya Raman', org: 'saltmarsh', role: 'member', day: 6 },
  operator: { name: 'marek', displayName: 'Marek Novotny', org: 'saltmarsh', role: 'collaborator', day: 3 },
  clinics: { name: 'adaeze', displayName: 'Adaeze Okonjo', org: 'brindlewood', role: 'admin', day: 14 },
  studio: { name: 'juno', displayName: 'Juno Vance', org: 'copperline', role: 'admin', day: 35 },
} as const satisfies Record<string, Omit<Person, 'email'>>;

export type CastName = keyof typeof cast;

export const PEOPLE = 120;
const OUTSIDERS = 18;

const firstNames =
  'Amara Anton Beatriz Bodil Caspian Chiara Dagny Dmitri Eilidh Emeka Farid Fleur Gabriel Greta Hana Henrik Imogen Isamu Jarek Jelena Kaito Katya Laszlo Leila Mads Mireille Nadia Nils Oona Osman Paloma Pavel Quentin Rasmus Rosalind Saskia Sindre Tamsin Teodor Ulla Umberto Vera Viktor Wanda Wim Xenia Yara Yusuf Zelda Zoltan'.split(
    ' ',
  );
const lastNames =
  'Abara Almqvist Barros Bekele Castellan Dahl Drummond Eskola Farkas Fontaine Gallagher Hartwell Ivarsson Jansen Kaplan Kovacs Lindqvist Marchetti Moreau Nakagawa Nyberg Oduya Petrov Quist Reyes Sandoval Tanaka Thorne Ueda Vasquez Whitlock Yilmaz Zielinska'.split(
    ' ',
  );

const getEmail = (name: string, org: OrgName | undefined): string =>
  `${name}@${org ? orgs[org].domain : 'testers.example'}`;

/** The number of generated people per organization. */
const shares: [OrgName | undefined, number][] = [
  ['saltmarsh', 42],
  ['brindlewood', 33],
  ['copperline', PEOPLE - Object.keys(cast).length - 42 - 33 - OUTSIDERS],
  [undefined, OUTSIDERS],
];

/** A person without an account, at a private address. */
export const strangerEmail = (n: number): string => {
  const [first = '', last = ''] = [firstNames[(7 * n) % firstNames.length], lastNames[(n + 11) % lastNames.length]];
  return `${first}.${last}@post.example`.toLowerCase();
};

export function makePeople(chance: Random): Person[] {
  const people: Person[] = Object.values(cast).map((one) => ({ ...one, email: getEmail(one.name, one.org) }));
  for (const [org, count] of shares) {
    for (let n = 0; n < count; n++) {
      const at = people.length;
      // The lengths of the two lists are coprime, so that each pair occurs once.
      const first = firstNames[at % firstNames.length] ?? '';
      const last = lastNames[at % lastNames.length] ?? '';
      const name = `${first}.${last}`.toLowerCase();
      const role = n === 0 ? 'admin' : chance.next() < 0.3 ? 'collaborator' : 'member';
      const day = org ? orgs[org].day + chance.between(2, 420) : chance.between(20, 220);
      people.push({ name, displayName: `${first} ${last}`, email: getEmail(name, org), org, role, day });
    }
  }
  return people;
}

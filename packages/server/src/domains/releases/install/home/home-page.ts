import type { AppOs } from '@mooring/contract';
import { escapeHtml as text } from '../../../../kernel/text/html.ts';
import type { TesterApp } from '../../releases.ts';
import { getDeviceState, type RegisteredDevice, registrationHtml } from '../device-state.ts';
import type { InstallLinks } from '../install-links.ts';
import { findProblem } from '../install-page.ts';
import { drawPage } from '../page-frame.ts';
import { badge, formatDay, formatSize, formatVersion, iconHtml, toPath } from '../page-parts.ts';
import { fitsVisitor, type Visitor } from '../visitor-system.ts';

/** An app on the shelf, with its latest release. */
export interface ShelfApp extends TesterApp {
  /** Path of its install page. */
  path: string;
  /** The newest release that the visitor has installed, as far as known. */
  installedId: number | undefined;
  links: InstallLinks;
}

export interface HomePage {
  title: string;
  apps: ShelfApp[];
  /** Undefined if the visitor is not signed in. */
  user: { name: string; email: string } | undefined;
  visitor: Visitor;
  devices: RegisteredDevice[] | undefined;
  now: number;
}

const fits = ({ app }: ShelfApp, { visitor }: HomePage) => fitsVisitor(app.os as AppOs, visitor.system);

const hasUpdate = ({ release, installedId }: ShelfApp): boolean =>
  installedId !== undefined && installedId < release.id;

function badgesHtml(one: ShelfApp): string {
  const badges = [
    ...(hasUpdate(one) ? [badge('Update', 'new')] : []),
    ...(one.installedId === one.release.id ? [badge('Installed', 'ok')] : []),
    ...(one.isMandatory && one.installedId !== one.release.id ? [badge('Required')] : []),
  ];
  return badges.join(' ');
}

/** One button that fits the visitor's device; a note if the release cannot be installed on it. */
function actionHtml(one: ShelfApp, page: HomePage): string {
  const { app, release, links, path } = one;
  const name = text(app.displayName);
  const open = (label: string) =>
    `<a class="button second" href="${text(path)}" aria-label="${label}: ${name}">${label}</a>`;
  const canInstall = fits(one, page) === 'yes' && (release.kind === 'ipa' || release.kind === 'apk');
  if (!canInstall) return open('Open install page');
  if (findProblem({ app: { os: app.os as AppOs }, release, now: page.now, visitor: page.visitor }))
    return open('Details');
  const { kind, missing } = getDeviceState(release, page.devices);
  if (kind === 'waiting') {
    return `<p class="note"><strong>Registered. Waiting for a new build</strong><br>${text(missing.join(', '))}</p>${open('Details')}`;
  }
  if (kind === 'unregistered') return `<p class="dim">Register your device to install this app.</p>${open('Details')}`;
  const url = release.kind === 'ipa' ? links.installUrl : toPath(links.installUrl);
  const label = hasUpdate(one) ? 'Update' : one.installedId === release.id ? 'Install again' : 'Install';
  const isMain = one.installedId !== release.id;
  return `<a class="button${isMain ? '' : ' second'}" href="${text(url)}" aria-label="${label} ${name} ${text(release.shortVersion)}">${label}</a>`;
}

const appHtml = (one: ShelfApp, page: HomePage): string => {
  const { app, release, path } = one;
  return `<li class="card">
<div class="head">${iconHtml(app, release)}<div class="about"><h2><a href="${text(path)}">${text(app.displayName)}</a></h2>
<div>Version ${text(formatVersion(release))} ${badgesHtml(one)}</div>
<div class="dim">${formatDay(release.uploadedAt)}, ${formatSize(release.size)} · ${text(app.os)} · ${text(app.owner.displayName)}</div></div></div>
${actionHtml(one, page)}
<div class="links"><a href="${text(path)}">What's new</a><a href="${text(path)}#history">Release history</a></div>
</li>`;
};

const listHtml = (apps: ShelfApp[], page: HomePage): string =>
  apps.length > 0 ? `<ul class="shelf">${apps.map((one) => appHtml(one, page)).join('\n')}</ul>` : '';

/** Registers the visitor's iPhone with one tap, if an app needs it. */
function registrationCardHtml({ apps, visitor, devices }: HomePage): string {
  const states = apps.map(({ release }) => getDeviceState(release, devices).kind);
  if (visitor.system !== 'iOS' || !devices || states.every((kind) => kind === 'any')) return '';
  if (devices.length > 0) {
    return `<p class="dim">Registered: ${text(devices.map(({ model, udid }) => `${model} (…${udid.slice(-4)})`).join(', '))}. <a href="/install/register-device">Register another device</a></p>`;
  }
  return `<section class="card"><h2>Register this ${visitor.device ?? 'iPhone'}</h2><p>Some of your apps install only on registered devices. Allow the download, then install the profile in the Settings app.</p>${registrationHtml(visitor, true)}</section>`;
}

const emptyHtml =
  '<section class="card"><p>No apps yet. An app appears here as soon as a release is distributed to you.</p></section>';

/** Renders the shelf of a tester: apps for the visitor's device first, those with an update before the others. */
export function drawHome(page: HomePage): string {
  const { title, user } = page;
  const sorted = page.apps.toSorted((one, other) => Number(hasUpdate(other)) - Number(hasUpdate(one)));
  const here = sorted.filter((one) => fits(one, page) !== 'no');
  const elsewhere = sorted.filter((one) => fits(one, page) === 'no');
  const others =
    elsewhere.length > 0
      ? `${here.length > 0 ? '<h2>For other devices</h2>' : '<p class="dim">None of these apps is for this device.</p>'}${listHtml(elsewhere, page)}`
      : '';
  const account = user
    ? `<p class="dim">Signed in as ${text(user.name)} (${text(user.email)}). <a href="/settings/devices">Your devices</a> · <a href="/">Console</a></p>`
    : '';
  return drawPage(
    title,
    `<h1 class="top">${text(title)}</h1>
${registrationCardHtml(page)}
${page.apps.length === 0 ? emptyHtml : ''}${listHtml(here, page)}
${others}
${account}`,
  );
}

/** Signed-out visitors return here after signing in. */
export const drawSignIn = (signInPath: string): string =>
  drawPage(
    'Your apps',
    `<section class="card"><h1>Your apps</h1><p>Sign in with the account that was invited, to see the apps that you can install.</p>
<a class="button" href="${text(signInPath)}">Sign in</a></section>`,
  );

import { qrCode, qrPath } from '@mooring/contract';
import { escapeHtml as text } from '../../../kernel/text/html.ts';
import type { App } from '../../apps/index.ts';
import type { Release } from '../releases.ts';
import { deviceActionsHtml, getDeviceState, type RegisteredDevice } from './device-state.ts';
import type { InstallLinks } from './install-links.ts';
import { notesHtml } from './notes-html.ts';
import { drawPage, HOME_LINK } from './page-frame.ts';
import { badge, formatDay, formatSize, formatVersion, iconHtml, note, toPath } from './page-parts.ts';
import { fitsVisitor, type Visitor } from './visitor-system.ts';

export interface InstallPage {
  app: App;
  release: Release;
  links: InstallLinks;
  isLatest: boolean;
  /** URL for App Installer on Windows, which also installs later releases. */
  appInstaller?: string | undefined;
  /** All releases that the visitor can install, newest first, with the URLs of their pages. */
  history: { release: Release; path: string }[];
  /** The newest release that the visitor has installed, as far as known. */
  installedId?: number | undefined;
  isSignedIn: boolean;
  /** URL of this page, for the QR code. */
  url: string;
  visitor: Visitor;
  now: number;
  /** Path of the form for feedback about the release. */
  feedbackPath: string;
  /** Apple devices of the signed-in user. */
  devices: RegisteredDevice[] | undefined;
}

/** A release for a visitor. */
type Installable = Pick<InstallPage, 'release' | 'now' | 'visitor'> & { app: Pick<App, 'os'> };

/** Finds a reason why the visitor cannot install the release. */
export function findProblem({ app, release, now, visitor: { system } }: Installable): string | undefined {
  const { profile } = release.metadata;
  if (profile?.expiresAt !== undefined && profile.expiresAt <= now) {
    return 'This build can no longer be installed: its provisioning profile has expired. Ask the developer for a new build.';
  }
  if (profile?.type === 'other') {
    return "This build is signed for a store, so devices can't install it from here. Ask the developer for an ad hoc or enterprise build.";
  }
  if (release.kind === 'aab') {
    return 'This file is for Google Play: phones cannot install it. Ask the developer for an .apk.';
  }
  if (release.kind === 'appxupload' || release.kind === 'msixupload') {
    return 'This file is for the Microsoft Store: devices cannot install it directly. Ask the developer for an .msix or .appx.';
  }
  if (fitsVisitor(app.os, system) === 'no')
    return `This is an app for ${app.os}. Open this page on a device with ${app.os}.`;
  return undefined;
}

const hints: Partial<Record<Release['kind'], string>> = {
  apk: 'Android asks once whether your browser may install apps. Allow it, then open the downloaded file.',
  ipa: 'Confirm the installation. The app then appears on your Home Screen.',
  dmg: 'Open the downloaded file, then drag the app to Applications.',
  pkg: 'Open the downloaded file and follow the installer.',
  msi: 'Open the downloaded file and follow the installer.',
  msix: 'Open the downloaded file. Windows installs the app if it trusts the certificate of the app.',
  msixbundle: 'Open the downloaded file. Windows installs the app if it trusts the certificate of the app.',
  appx: 'Open the downloaded file. Windows installs the app if it trusts the certificate of the app.',
  appxbundle: 'Open the downloaded file. Windows installs the app if it trusts the certificate of the app.',
  deb: 'Install the downloaded file with: sudo apt install ./file.deb',
  rpm: 'Install the downloaded file with: sudo dnf install ./file.rpm',
  appimage: 'Make the downloaded file executable, then run it.',
};

function actionsHtml(page: InstallPage): string {
  const { app, release, links, visitor } = page;
  const problem = findProblem(page);
  const fits = fitsVisitor(app.os, visitor.system);
  const download = (isFirst: boolean, url = links.downloadUrl) =>
    `<a class="button${isFirst ? '' : ' second'}" href="${text(toPath(url))}">Download .${text(release.kind)}</a>`;
  if (problem) return `${note(problem)}${download(false)}`;
  const hint = hints[release.kind];
  const hintHtml = hint ? `<p class="dim">${text(hint)}</p>` : '';
  if (release.kind === 'ipa') {
    const where = fits === 'yes' ? '' : ' on an iPhone or iPad';
    const install = (label: string, isMain: boolean) =>
      `<a class="button${isMain ? '' : ' second'}" href="${text(links.installUrl)}">${label}${where}</a>${isMain ? hintHtml : ''}`;
    const actions = deviceActionsHtml(getDeviceState(release, page.devices), visitor, install);
    return `${actions}${fits === 'yes' ? '' : download(false)}`;
  }
  if (page.appInstaller !== undefined && fits === 'yes') {
    const message =
      'Open the downloaded file. Windows installs the app if it trusts the certificate of the app, and keeps it up to date.';
    return `<a class="button" href="${text(page.appInstaller)}">Install</a><p class="dim">${message}</p>${download(false)}`;
  }
  if (release.kind === 'apk' && fits === 'yes') {
    return `<a class="button" href="${text(toPath(links.installUrl))}">Install</a>${hintHtml}`;
  }
  return `${download(true, fits === 'yes' ? links.installUrl : undefined)}${hintHtml}`;
}

function codeHtml({ app, url, visitor: { system } }: InstallPage): string {
  // Useless on the phone itself.
  if (system === 'Android' || system === 'iOS' || !['Android', 'iOS'].includes(app.os)) return '';
  const { path, size } = qrPath(qrCode(url));
  return `<section class="card code"><svg width="132" height="132" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of this page"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg><p>Scan the code with your phone to open this page there.</p></section>`;
}

function detailsHtml({ app, release }: InstallPage): string {
  const { minOs, sha256, bundleIdentifier, metadata } = release;
  const rows: [string, string | undefined][] = [
    ['Size', formatSize(release.size)],
    [`Needs ${app.os}`, minOs && `${minOs} or later`],
    ['Identifier', bundleIdentifier],
    ['Architectures', metadata.architectures?.join(', ')],
    ['SHA-256 of the file', sha256],
    ['Signed with (SHA-256)', metadata.certificate],
    ['Profile expires', metadata.profile?.expiresAt === undefined ? undefined : formatDay(metadata.profile.expiresAt)],
  ];
  const shown = rows.flatMap(([name, value]) => (value ? [`<dt>${text(name)}</dt><dd>${text(value)}</dd>`] : []));
  return `<section class="card"><h2>About this build</h2><dl>${shown.join('')}</dl></section>`;
}

const VISIBLE_RELEASES = 10;

/** The beginning of release notes, without markup. */
function firstLine(notes = ''): string {
  const line = notes.split('\n').find((one) => one.trim() !== '') ?? '';
  const plain = line.replace(/^[\s#>*+-]+/, '').replace(/[*_`]/g, '');
  return plain.length > 100 ? `${plain.slice(0, 99)}…` : plain;
}

function historyRowHtml(
  { release, path }: InstallPage['history'][number],
  page: InstallPage,
  isLatest: boolean,
): string {
  const isShown = release.id === page.release.id;
  const version = text(formatVersion(release));
  const badges = [
    ...(isLatest ? [badge('Latest')] : []),
    ...(release.id === page.installedId ? [badge('Installed', 'ok')] : []),
  ];
  const summary = firstLine(release.notes);
  return `<li><div>${isShown ? `<strong aria-current="page">${version}</strong>` : `<a href="${text(path)}">${version}</a>`} ${badges.join(' ')}${summary && `<br><span class="dim">${text(summary)}</span>`}</div><span class="dim">${formatDay(release.uploadedAt)}, ${formatSize(release.size)}</span></li>`;
}

function historyHtml(page: InstallPage): string {
  if (page.history.length < 2) return '';
  const rows = page.history.map((one, at) => historyRowHtml(one, page, at === 0));
  const list = (some: string[]) => `<ul class="earlier">${some.join('')}</ul>`;
  const earlier = rows.slice(VISIBLE_RELEASES);
  const rest =
    earlier.length > 0 ? `<details><summary>Show ${earlier.length} earlier</summary>${list(earlier)}</details>` : '';
  return `<section class="card" id="history"><h2>Release history</h2>${list(rows.slice(0, VISIBLE_RELEASES))}${rest}</section>`;
}

/** Renders a page for testers: the release, its notes, and one button that fits the visitor's system. */
export function drawInstallPage(page: InstallPage): string {
  const { app, release, isLatest, installedId } = page;
  const notes = release.notes?.trim();
  const badges = [
    ...(installedId !== undefined && installedId < release.id ? [badge('Update', 'new')] : []),
    ...(installedId === release.id ? [badge('Installed', 'ok')] : []),
  ];
  const sections = [
    codeHtml(page),
    notes ? `<section class="card"><h2>Release notes</h2>${notesHtml(notes)}</section>` : '',
    historyHtml(page),
    detailsHtml(page),
  ];
  return drawPage(
    `${app.displayName} ${release.shortVersion}`,
    `${page.isSignedIn ? HOME_LINK : ''}<section class="card">
<div class="head">${iconHtml(app, release)}<div><h1>${text(app.displayName)}</h1><div class="dim">by ${text(app.owner.displayName)}, for ${text(app.os)}</div></div></div>
<p>Version ${text(formatVersion(release))}${isLatest ? ', the latest' : ''} ${badges.join(' ')}<br><span class="dim">${formatDay(release.uploadedAt)}, ${formatSize(release.size)}${release.minOs ? `, needs ${text(app.os)} ${text(release.minOs)}` : ''}</span></p>
${actionsHtml(page)}
<p><a href="${text(page.feedbackPath)}">Send feedback</a></p>
</section>
${sections.join('\n')}`,
  );
}

/** The same page for a missing release and one without access, so that it reveals nothing. */
export const drawNothingToInstall = (signInPath: string | undefined): string =>
  drawPage(
    'Nothing to install',
    `<section class="card"><h1>Nothing to install here</h1>
<p>${
      signInPath
        ? 'If you test this app, sign in with the account that was invited.'
        : 'Your account has no access to a release here. Ask the sender of the link to add you to a distribution group, or to send a new link.'
    }</p>
${signInPath ? `<a class="button" href="${text(signInPath)}">Sign in</a>` : ''}</section>`,
  );

export const drawEmptyGroup = (app: App): string =>
  drawPage(
    app.displayName,
    `<section class="card"><h1>${text(app.displayName)}</h1><p>No releases yet. Come back later.</p></section>`,
  );

/** With the path of the sign-in page if the link has only expired: testers still have the release. */
export const drawEndedLink = (signInPath?: string): string =>
  signInPath
    ? drawPage(
        'Sign in to install',
        `<section class="card"><h1>Sign in to install</h1>
<p>This link has expired. To open the release, sign in with the account that was invited.</p>
<a class="button" href="${text(signInPath)}">Sign in</a></section>`,
      )
    : drawPage(
        'Link expired',
        `<section class="card"><h1>This link no longer works</h1>
<p>The link is incomplete, or its release is no longer available. Ask the sender for a new link, or open the latest email about the app.</p></section>`,
      );

import { escapeHtml as text } from '../../../kernel/text/html.ts';
import type { Release } from '../releases.ts';
import { isProvisioned } from '../releases.ts';
import { signInHref } from './page-parts.ts';
import type { Visitor } from './visitor-system.ts';

/** Path of the profile that registers a device. */
const PROFILE_PATH = '/v0.1/user/devices/enrolment_profile';
const REGISTRATION_PATH = '/install/register-device';

export interface RegisteredDevice {
  udid: string;
  model: string;
}

/**
 * Whether the devices of the visitor can install an iOS build: any device can, or depends on its provisioning profile.
 * `unknown`: the visitor is not signed in.
 */
export interface DeviceState {
  kind: 'any' | 'unknown' | 'unregistered' | 'waiting' | 'ready';
  /** Names of devices in the profile, and of those that it lacks. */
  listed: string[];
  missing: string[];
}

/** Devices of one model differ by the end of their UDID. */
const toName = ({ model, udid }: RegisteredDevice): string => `${model} (…${udid.slice(-4)})`;

export function getDeviceState(
  { kind, metadata: { profile } }: Pick<Release, 'kind' | 'metadata'>,
  devices: readonly RegisteredDevice[] | undefined,
): DeviceState {
  if (kind !== 'ipa' || profile?.type !== 'adhoc') return { kind: 'any', listed: [], missing: [] };
  if (!devices) return { kind: 'unknown', listed: [], missing: [] };
  const { true: listed = [], false: missing = [] } = Object.groupBy(devices, ({ udid }) =>
    isProvisioned(profile, udid) ? 'true' : 'false',
  );
  const state = listed.length > 0 ? 'ready' : missing.length > 0 ? 'waiting' : 'unregistered';
  return { kind: state, listed: listed.map(toName), missing: missing.map(toName) };
}

/** The button that registers the visitor's device with one tap; on other systems, how to do it. */
export function registrationHtml({ system, device = 'iPhone' }: Visitor, isMain: boolean): string {
  if (system !== 'iOS') {
    return '<p class="dim">To register an iPhone or iPad, open this page on it.</p>';
  }
  return `<a class="button${isMain ? '' : ' second'}" href="${PROFILE_PATH}">Register this ${device}</a>`;
}

const steps =
  '<p class="dim">Allow the download, then install the profile in the Settings app. It sends the ID of the device to this server and changes nothing else.</p>';

const stateHtml = (title: string, message: string): string =>
  `<p class="note" role="status"><strong>${text(title)}</strong><br>${text(message)}</p>`;

/** The buttons for an iOS build: to install it, or to register the device first. `install` renders the install button. */
export function deviceActionsHtml(
  { kind, listed, missing }: DeviceState,
  visitor: Visitor,
  install: (label: string, isMain: boolean) => string,
): string {
  const left = missing.length > 0 ? ` Not in the profile yet: ${missing.join(', ')}.` : '';
  switch (kind) {
    case 'any':
      return install('Install', true);
    case 'unknown':
      return `${install('Install', true)}<p class="dim">Only registered devices can install this build. <a href="${signInHref(REGISTRATION_PATH)}">Sign in to register your device</a>.</p>`;
    case 'ready':
      return `${install('Install', true)}<p class="dim">In the provisioning profile: ${text(listed.join(', '))}.${text(left)}</p>${missing.length > 0 ? '' : `<p class="dim"><a href="${REGISTRATION_PATH}">Register another device</a></p>`}`;
    case 'unregistered':
      return `${stateHtml('Register your device first', 'This build installs only on devices in its provisioning profile. The developer adds registered devices to the next build.')}${registrationHtml(visitor, true)}${visitor.system === 'iOS' ? steps : ''}${install('Already in the profile? Install', false)}`;
    case 'waiting':
      return `${stateHtml('Registered. Waiting for a new build', `${missing.join(', ')}: the provisioning profile of this build does not list ${missing.length === 1 ? 'this device' : 'these devices'} yet. The developer can add ${missing.length === 1 ? 'it' : 'them'} now. You get an email about the next build.`)}${registrationHtml(visitor, false)}${install('Install anyway', false)}`;
  }
}

const deviceTexts = {
  wrapper_sdk_version: 'wrapperSdkVersion',
  wrapper_sdk_name: 'wrapperSdkName',
  model: 'model',
  oem_name: 'oemName',
  os_build: 'osBuild',
  screen_size: 'screenSize',
  carrier_name: 'carrierName',
  carrier_code: 'carrierCode',
  carrier_country: 'carrierCountry',
  app_namespace: 'appNamespace',
  live_update_release_label: 'liveUpdateReleaseLabel',
  live_update_deployment_key: 'liveUpdateDeploymentKey',
  live_update_package_hash: 'liveUpdatePackageHash',
  wrapper_runtime_version: 'wrapperRuntimeVersion',
} as const;

const toInteger = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) ? value : undefined;

/** Device properties from the logs, in the format of the API; required fields are empty if unknown. */
export function deviceToWire(device: Readonly<Record<string, unknown>>) {
  const text = (name: string): string | undefined => {
    const value = device[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const level = toInteger(device.osApiLevel);
  const texts = Object.entries(deviceTexts).flatMap(([name, field]) => {
    const value = text(field);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    sdk_name: text('sdkName') ?? '',
    sdk_version: text('sdkVersion') ?? '',
    os_name: text('osName') ?? '',
    os_version: text('osVersion') ?? '',
    locale: text('locale') ?? '',
    time_zone_offset: Math.max(-840, Math.min(840, toInteger(device.timeZoneOffset) ?? 0)),
    app_version: text('appVersion') ?? '',
    app_build: text('appBuild') ?? '',
    ...(level === undefined ? {} : { os_api_level: level }),
    ...(Object.fromEntries(texts) as Partial<Record<keyof typeof deviceTexts, string>>),
  };
}

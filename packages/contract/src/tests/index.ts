export * from './junit-xml.ts';
export * from './test-devices.contract.ts';
export * from './test-exports.contract.ts';
export * from './test-runs.contract.ts';
export * from './test-series.contract.ts';
export * from './test-work.ts';
export * from './xml.ts';

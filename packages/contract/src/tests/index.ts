export * from './junit-xml.ts';
export * from './test-work.ts';
export * from './xml.ts';

export * from './branch-configurations.contract.ts';
export * from './build-work.ts';
export * from './builds.contract.ts';
export * from './projects.ts';
export * from './pushes.contract.ts';
export * from './repositories.contract.ts';
export * from './toolsets.ts';

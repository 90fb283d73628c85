import { Alert } from '@mantine/core';
import { useBuildService } from '../../api/builds/builds.ts';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

/** Explains why builds don't start while no runner is available. */
export function RunnerNotice({ title }: { title: string }) {
  const { appRef, params } = useCurrentApp();
  const { data } = useBuildService(appRef);
  if (!data || data.status === 'available') return null;
  return (
    <Alert color="yellow" title={title}>
      {data.message?.replaceAll('`', '')}{' '}
      <TextLink size="sm" to={pathTo('appRunners', params)}>
        Runners
      </TextLink>
    </Alert>
  );
}

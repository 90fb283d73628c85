import { Alert } from '@mantine/core';
import { useBuildService } from '../../api/builds.ts';
import { TextLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';

/** Why builds do not begin, as long as no runner takes them. */
export function RunnerNotice({ title }: { title: string }) {
  const { appRef, params } = useAppHere();
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

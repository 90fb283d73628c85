import { Button, SegmentedControl, Stack } from '@mantine/core';
import { branchConfigurations_delete } from '@mooring/contract';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { appKey } from '../../../api/apps.ts';
import {
  type BranchSettings,
  type Projects,
  useBranches,
  useBuildSettings,
  useConfiguration,
  useDeleteConfiguration,
  useProjects,
  useSaveConfiguration,
} from '../../../api/builds/builds.ts';
import { queries } from '../../../api/client.ts';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { LoadingSkeleton, QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { toast } from '../../../components/feedback/toasts.ts';
import { Page } from '../../../components/layout/page.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { pathTo } from '../../../paths.ts';
import { ConfigurationForm } from './configuration-form.tsx';

/** Loaded on demand with the YAML parser, which few people need. */
const YamlForm = lazy(() => import('./yaml-form.tsx'));

export default function ConfigurationPage() {
  const { branch = '' } = useParams();
  return isPattern(branch) ? <PatternPage pattern={branch} /> : <OfBranch branch={branch} />;
}

const isPattern = (name: string): boolean => name.includes('*');

function OfBranch({ branch }: { branch: string }) {
  const { appRef } = useCurrentApp();
  const branches = useBranches(appRef);
  const isConfigured = branches.data?.some((one) => one.branch.name === branch && one.configured) ?? false;
  return (
    <Page title={`Build configuration: ${branch}`} description="Applies to this branch only, from the next build on.">
      <QueryBoundary query={branches}>
        {() => <ConfigurationLoader key={branch} branch={branch} isConfigured={isConfigured} />}
      </QueryBoundary>
    </Page>
  );
}

function PatternPage({ pattern }: { pattern: string }) {
  const { appRef, params, can } = useCurrentApp();
  const navigate = useNavigate();
  const settings = useBuildSettings(appRef);
  const isConfigured = settings.data?.branchPatterns.includes(pattern) ?? false;
  const deletion = useDeleteConfiguration(appRef);
  const confirmation = useConfirm<string>({
    title: (name) => `Delete branch pattern ${name}?`,
    action: 'Delete branch pattern',
    consequence: () =>
      'Branches that use this pattern are no longer built. Their existing builds stay. This cannot be undone.',
    openDialog: {
      ...deletion,
      mutate: (name) =>
        deletion.mutate(name, {
          onSuccess: () => {
            void navigate(pathTo('appBuildSettings', params), { replace: true });
            void queries.invalidateQueries({ queryKey: appKey(appRef) });
          },
        }),
    },
  });
  return (
    <Page
      title={`Build configuration: ${pattern}`}
      description="Applies to all matching branches without their own configuration."
      actions={
        isConfigured &&
        can(branchConfigurations_delete) && (
          <Button variant="default" onClick={() => confirmation.open(pattern)}>
            Delete branch pattern
          </Button>
        )
      }
    >
      <QueryBoundary query={settings}>
        {() => <SettingsLoader key={pattern} branch={pattern} isConfigured={isConfigured} projects={undefined} />}
      </QueryBoundary>
      {confirmation.dialog}
    </Page>
  );
}

function ConfigurationLoader({ branch, isConfigured }: { branch: string; isConfigured: boolean }) {
  const { appRef } = useCurrentApp();
  const projects = useProjects(appRef, branch);
  if (projects.isPending) return <LoadingSkeleton />;
  return <SettingsLoader branch={branch} isConfigured={isConfigured} projects={projects.data} />;
}

function SettingsLoader({ branch, isConfigured, projects }: Omit<EditorProps, 'settings'>) {
  const { appRef } = useCurrentApp();
  // The initial settings decide between create and update.
  const [wasConfigured] = useState(isConfigured);
  const configuration = useConfiguration(appRef, branch, wasConfigured);
  return (
    <QueryBoundary query={configuration}>
      {(settings) => <Editor branch={branch} isConfigured={wasConfigured} settings={settings} projects={projects} />}
    </QueryBoundary>
  );
}

interface EditorProps {
  branch: string;
  isConfigured: boolean;
  settings: BranchSettings;
  projects: Projects | undefined;
}

function Editor({ branch, isConfigured, settings, projects }: EditorProps) {
  const { appRef, params } = useCurrentApp();
  const navigate = useNavigate();
  const saving = useSaveConfiguration(appRef, branch, isConfigured);
  const [view, setView] = useState<'form' | 'yaml'>('form');
  const save = (changed: BranchSettings) =>
    saving.mutate(changed, {
      onSuccess: () => {
        toast(`Saved build configuration of ${branch}.`);
        void navigate(
          isPattern(branch) ? pathTo('appBuildSettings', params) : pathTo('appBranch', { ...params, branch }),
        );
      },
    });
  return (
    <Stack gap="md" maw={720}>
      <SegmentedControl
        w="fit-content"
        size="xs"
        aria-label="View"
        value={view}
        onChange={setView}
        data={[
          { value: 'form', label: 'Form' },
          { value: 'yaml', label: 'YAML' },
        ]}
      />
      {view === 'form' ? (
        <ConfigurationForm settings={settings} projects={projects} saving={saving} onSave={save} />
      ) : (
        <Suspense fallback={<LoadingSkeleton />}>
          <YamlForm settings={settings} saving={saving} onSave={save} />
        </Suspense>
      )}
    </Stack>
  );
}

import { Button, SegmentedControl, Stack } from '@mantine/core';
import { branchConfigurations_delete } from '@mooring/contract';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { appKey } from '../../api/apps.ts';
import {
  type BranchSettings,
  type Projects,
  useBranches,
  useBuildSettings,
  useConfiguration,
  useDeleteConfiguration,
  useProjects,
  useSaveConfiguration,
} from '../../api/builds.ts';
import { queries } from '../../api/client.ts';
import { Loaded, Outline } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { toast } from '../../parts/toasts.ts';
import { pathTo } from '../../paths.ts';
import { ConfigurationForm } from './configuration-form.tsx';

/** With what reads YAML, which most people never need. */
const YamlForm = lazy(() => import('./yaml-form.tsx'));

export default function ConfigurationPage() {
  const { branch = '' } = useParams();
  return isPattern(branch) ? <PatternPage pattern={branch} /> : <OfBranch branch={branch} />;
}

const isPattern = (name: string): boolean => name.includes('*');

function OfBranch({ branch }: { branch: string }) {
  const { appRef } = useAppHere();
  const branches = useBranches(appRef);
  const isConfigured = branches.data?.some((one) => one.branch.name === branch && one.configured) ?? false;
  return (
    <Page title={`How ${branch} is built`} lead="Saved for this branch alone; the next build obeys it.">
      <Loaded reading={branches}>{() => <Known key={branch} branch={branch} isConfigured={isConfigured} />}</Loaded>
    </Page>
  );
}

function PatternPage({ pattern }: { pattern: string }) {
  const { appRef, params, may } = useAppHere();
  const navigate = useNavigate();
  const settings = useBuildSettings(appRef);
  const isConfigured = settings.data?.branchPatterns.includes(pattern) ?? false;
  const deletion = useDeleteConfiguration(appRef);
  const question = useQuestion<string>({
    title: (name) => `Delete the pattern ${name}?`,
    action: 'Delete',
    loss: () => 'Branches that follow it are no longer built. What was built of them stays. This cannot be undone.',
    doing: {
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
      title={`How ${pattern} is built`}
      lead="For every branch that it matches and that has no configuration of its own."
      actions={
        isConfigured &&
        may(branchConfigurations_delete) && (
          <Button variant="default" onClick={() => question.ask(pattern)}>
            Delete
          </Button>
        )
      }
    >
      <Loaded reading={settings}>
        {() => <KnownSettings key={pattern} branch={pattern} isConfigured={isConfigured} projects={undefined} />}
      </Loaded>
      {question.dialog}
    </Page>
  );
}

function Known({ branch, isConfigured }: { branch: string; isConfigured: boolean }) {
  const { appRef } = useAppHere();
  const projects = useProjects(appRef, branch);
  if (projects.isPending) return <Outline />;
  return <KnownSettings branch={branch} isConfigured={isConfigured} projects={projects.data} />;
}

function KnownSettings({ branch, isConfigured, projects }: Omit<EditorProps, 'settings'>) {
  const { appRef } = useAppHere();
  // What was there at first decides which call saves it.
  const [wasConfigured] = useState(isConfigured);
  const configuration = useConfiguration(appRef, branch, wasConfigured);
  return (
    <Loaded reading={configuration}>
      {(settings) => <Editor branch={branch} isConfigured={wasConfigured} settings={settings} projects={projects} />}
    </Loaded>
  );
}

interface EditorProps {
  branch: string;
  isConfigured: boolean;
  settings: BranchSettings;
  projects: Projects | undefined;
}

function Editor({ branch, isConfigured, settings, projects }: EditorProps) {
  const { appRef, params } = useAppHere();
  const navigate = useNavigate();
  const saving = useSaveConfiguration(appRef, branch, isConfigured);
  const [view, setView] = useState<'form' | 'yaml'>('form');
  const save = (changed: BranchSettings) =>
    saving.mutate(changed, {
      onSuccess: () => {
        toast(`How ${branch} is built was saved.`);
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
        <Suspense fallback={<Outline />}>
          <YamlForm settings={settings} saving={saving} onSave={save} />
        </Suspense>
      )}
    </Stack>
  );
}

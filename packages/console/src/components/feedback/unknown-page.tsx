import { IconMapQuestion } from '@tabler/icons-react';
import { listOpenGroups, useCurrentPage } from '../../context/current-page.ts';
import { paths } from '../../paths.ts';
import { Page } from '../layout/page.tsx';
import { ButtonLink } from '../text/links.tsx';
import { EmptyState } from './empty-state.tsx';

/** A path below an app, an organization or another area that leads to no page; their sidebar stays. */
export default function UnknownPage() {
  const current = useCurrentPage();
  const first = listOpenGroups(current)[0]?.sections[0];
  return (
    <Page title="Page not found">
      <EmptyState
        icon={<IconMapQuestion size={32} aria-hidden />}
        action={<ButtonLink to={first?.to ?? paths.home}>Go to {first?.section.label ?? 'home page'}</ButtonLink>}
      >
        Check the URL for typos, or choose a page in the sidebar.
      </EmptyState>
    </Page>
  );
}

// Routing profiles: all of them, or one with its versions, as the address says.
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { messages } from './messages.js';
import { ProfileEditor } from './profile-editor.js';
import { ProfileList } from './profile-list.js';
import { ProfileView } from './profile-view.js';
import { PROFILES_KEY } from './query-key.js';
import { readProfiles } from './read-profiles.js';

export function ProfilesPage() {
  const text = useMessages(messages);
  const { profiles: title } = useMessages(pageNames);
  const landfall = useLandfall();
  const [search] = useSearchParams();
  const stored = useQuery({
    queryKey: PROFILES_KEY,
    queryFn: ({ signal }) => readProfiles(landfall, signal),
  });
  const name = search.get('name');
  return (
    <Page title={title} lead={text.lead} wide>
      <Loaded query={stored}>
        {(profiles) =>
          search.get('view') === 'edit' ? (
            <ProfileEditor key={name} profiles={profiles} name={name ?? undefined} />
          ) : name === null ? (
            <ProfileList profiles={profiles} />
          ) : (
            <ProfileView profiles={profiles} name={name} />
          )
        }
      </Loaded>
    </Page>
  );
}

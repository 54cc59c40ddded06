-- locks: presented_reference, withdrawn_house_consignment and the tables of the audit trail, for a moment each
--
-- Capitals of letters whose capital is more than one letter, or that are not the small letter of their capital; and what the
-- audit trail has of rows that are changed beside an acceptance, or by a session that pretends to have appended a record.

-- For every text the same as `identifierKey` of the contract: a letter becomes the capital of its small letter, by the full
-- mappings of Unicode, where that is Latin, Greek, Cyrillic or Armenian (decision 0195).
create or replace function normalise_identifier(identifier text) returns text language plpgsql immutable strict parallel safe as $$
declare
  letters text := normalize(regexp_replace(identifier collate "C", '[\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g'), NFD);
begin
  if letters ~ '[ßŉևẚẞﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ]' then
    select string_agg(coalesce(capitals, letter), '' order by place) into letters
    from string_to_table(letters, null) with ordinality as each (letter, place)
    left join (values ('ß', 'SS'), ('ŉ', 'ʼN'), ('և', 'ԵՒ'), ('ẚ', 'Aʾ'), ('ẞ', 'SS'), ('ﬀ', 'FF'), ('ﬁ', 'FI'), ('ﬂ', 'FL'), ('ﬃ', 'FFI'), ('ﬄ', 'FFL'), ('ﬅ', 'ST'), ('ﬆ', 'ST'), ('ﬓ', 'ՄՆ'), ('ﬔ', 'ՄԵ'), ('ﬕ', 'ՄԻ'), ('ﬖ', 'ՎՆ'), ('ﬗ', 'ՄԽ')) as capital (small, capitals)
      on small = letter collate "C";
  end if;
  return normalize(translate(letters,
    'abcdefghijklmnopqrstuvwxyzµæðøþđħıĳŀłŋœŧſƀƃƅƈƌƒƕƙƚƞƣƥƨƭƴƶƹƽƿǅǆǈǉǋǌǝǥǲǳȝȣȥȼɂɇɉɋɍɏɓɔɖɗəɛɠɣɨɩɯɲɵʀʃʈʉʊʋʌʒͅͱͳͷͻͼͽαβγδεζηθικλμνξοπρςστυφχψωϐϑϕϖϗϙϛϝϟϡϣϥϧϩϫϭϯϰϱϲϳϴϵϸϻабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӄӆӈӊӌӎӏӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆᲀᲁᲂᲃᲄᲅᲆᲇⱥⱦ',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZΜÆÐØÞĐĦIĲĿŁŊŒŦSɃƂƄƇƋƑǶƘȽȠƢƤƧƬƳƵƸƼǷǄǄǇǇǊǊƎǤǱǱȜȢȤȻɁɆɈɊɌɎƁƆƉƊƏƐƓƔƗƖƜƝƟƦƩƮɄƱƲɅƷΙͰͲͶϽϾϿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΣΤΥΦΧΨΩΒΘΦΠϏϘϚϜϞϠϢϤϦϨϪϬϮΚΡϹͿΘΕϷϺАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӃӅӇӉӋӍӀӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖВДОСТТЪѢȺȾ'), NFC);
end
$$;

update presented_reference set reference = identifier_key(reference) where reference <> identifier_key(reference);
update withdrawn_house_consignment
set document_key = identifier_key(document_number), master_document_key = identifier_key(master_document_number)
where (document_key, master_document_key)
  is distinct from (identifier_key(document_number), identifier_key(master_document_number));
select append_audit_record(3, '{"action":"migrated","details":{}}')
where nullif(current_setting('landfall.audited_rows', true), '') is not null;

-- As before, but a setting that anybody can set does not say that the transaction has appended a record: what is noted
-- without one is in no record, and verification finds it.
create or replace function note_audited_rows(lists text) returns void language plpgsql as $$
begin
  if coalesce(current_setting('landfall.audit_time', true), '') <> ''
    and exists (select from audit_chain_end where xmin = pg_current_xact_id()::xid)
  then
    perform append_audited_rows(lists);
  else
    perform set_config('landfall.audited_rows',
      concat_ws(';', nullif(current_setting('landfall.audited_rows', true), ''), lists), true);
  end if;
end
$$;

-- As before, but the rows that its transaction has written already are counted once: they differ, and are accepted.
create or replace function accept_audited_rows() returns void language plpgsql as $$
declare
  tables json;
begin
  lock table audited_row_base in exclusive mode;
  perform set_config('landfall.audited_rows', '', true);
  with difference as materialized (
    select * from audited_difference
  ),
  accepted as (
    insert into audited_row_base as base (table_name, digest, rows)
    select table_name, digest, -rows from difference
    on conflict (table_name, digest) do update set rows = base.rows + excluded.rows
  )
  select json_object_agg(table_name, rows) into tables
  from (select table_name, sum(abs(rows)) as rows from difference group by table_name order by table_name) each;
  if tables is not null then
    delete from audited_row_base where rows = 0;
    perform record_accepted_rows(tables);
  end if;
end
$$;

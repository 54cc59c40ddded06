-- locks: house_consignment, withdrawn_house_consignment and the tables of the audit trail, for a moment each
--
-- A document has a key, by which it is compared: spellings that differ in case, blanks or composed letters are one document
-- (decision 0195). The text stays as it was sent.

-- For every text the same as `identifierKey` of the contract, whatever collations and version of Unicode the database
-- has. Capitals are those of Latin, Greek, Cyrillic and Armenian.
create function normalise_identifier(identifier text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return normalize(translate(
    normalize(regexp_replace(identifier collate "C", '[\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g'), NFD),
    'abcdefghijklmnopqrstuvwxyzµæðøþđħıĳŀłŋœŧſƀƃƅƈƌƒƕƙƚƞƣƥƨƭƴƶƹƽƿǅǆǈǉǋǌǝǥǲǳȝȣȥȼɂɇɉɋɍɏɓɔɖɗəɛɠɣɨɩɯɲɵʀʃʈʉʊʋʌʒͅͱͳͷͻͼͽαβγδεζηθικλμνξοπρςστυφχψωϐϑϕϖϗϙϛϝϟϡϣϥϧϩϫϭϯϰϱϲϳϵϸϻабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӄӆӈӊӌӎӏӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZΜÆÐØÞĐĦIĲĿŁŊŒŦSɃƂƄƇƋƑǶƘȽȠƢƤƧƬƳƵƸƼǷǄǄǇǇǊǊƎǤǱǱȜȢȤȻɁɆɈɊɌɎƁƆƉƊƏƐƓƔƗƖƜƝƟƦƩƮɄƱƲɅƷΙͰͲͶϽϾϿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΣΤΥΦΧΨΩΒΘΦΠϏϘϚϜϞϠϢϤϦϨϪϬϮΚΡϹͿΕϷϺАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӃӅӇӉӋӍӀӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ'), NFC);
end
$$;

-- The key of an identifier; null if there is none. Most are their own key.
create function identifier_key(identifier text) returns text language sql immutable parallel safe as $$
  select case when identifier ~ '^[!-`{-~]*$' then identifier else normalise_identifier(identifier) end
$$;

-- Presented references are compared by their keys.
update presented_reference set reference = identifier_key(reference) where reference <> identifier_key(reference);

alter table withdrawn_house_consignment add document_key text collate "C", add master_document_key text collate "C";
update withdrawn_house_consignment
  set document_key = identifier_key(document_number), master_document_key = identifier_key(master_document_number);
-- Several spellings may have been withdrawn one after the other.
alter table withdrawn_house_consignment drop constraint withdrawn_house_consignment_ens_id_document_number_document_key;
drop index withdrawn_house_consignment_document;

alter table house_consignment
  add document_key text collate "C",
  add master_document_key text collate "C",
  -- Goods that were registered before there were keys, or by a server of the previous release, may share their key with
  -- others of their declaration. Then this is their document number, and no other spelling finds them.
  add only_spelling text collate "C";

-- Servers of the previous release write no keys, and compare texts: for them, two spellings are two goods.
create function add_document_keys() returns trigger language plpgsql as $$
begin
  new.document_key := identifier_key(new.document_number);
  new.master_document_key := identifier_key(new.master_document_number);
  update house_consignment set only_spelling = document_number
  where ens_id = new.ens_id and document_key = new.document_key and document_type = new.document_type;
  if found then
    new.only_spelling := new.document_number;
  end if;
  return new;
end
$$;
create trigger add_document_keys before insert on house_consignment
  for each row when (new.document_key is null) execute function add_document_keys();

create function change_master_key() returns trigger language plpgsql as $$
begin
  new.master_document_key := identifier_key(new.master_document_number);
  return new;
end
$$;
create trigger change_master_key before update of master_document_number on house_consignment
  for each row when (new.master_document_number is distinct from old.master_document_number)
  execute function change_master_key();

-- Keys follow from their texts, so the trail has no digest of them.
select audit_table('house_consignment', '{id}',
  '{routing,routing_control_location,document_key,master_document_key}');
select audit_table('withdrawn_house_consignment', '{id}', '{document_key,master_document_key}');

-- In a new database, there are no rows.
select append_audit_record(3, '{"action":"migrated","details":{}}')
where nullif(current_setting('landfall.audited_rows', true), '') is not null;

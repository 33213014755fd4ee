package explain

// A Kind names one way in which a signature can fail to match.
type Kind string

// A Certainty says how sure an explanation is.
type Certainty string

// The certainties. Proven: the HMAC of a hypothesis is the received value, or
// the signature is right and the clock decides. Structural: read from the input
// without a guess. Heuristic: a sign that fits. None: nothing matched.
const (
	Proven     Certainty = "proven"
	Structural Certainty = "structural"
	Heuristic  Certainty = "heuristic"
	None       Certainty = "none"
)

// subject is what a kind is about. Of two faults the lower one is told, and
// mended, first.
type subject int

const (
	aboutSecret subject = iota
	aboutConstruction
	aboutTime
	aboutBody
	aboutHeader
	aboutText // the text form of the digest
	aboutNothing
)

// A row is what is known of a kind. Its words are in texts.txt.
type row struct {
	kind      Kind
	subject   subject
	certainty Certainty
	warning   bool // a forger could cause it
}

const (
	headerMissing          Kind = "header_missing"
	headerRenamed          Kind = "header_renamed"
	otherProviderHeader    Kind = "other_provider_header"
	headerMalformed        Kind = "header_malformed"
	headerTimestampMissing Kind = "header_timestamp_missing"
	schemeMismatchPlain    Kind = "scheme_mismatch_plain"
	headerWrongVersionOnly Kind = "header_wrong_version_only"
	headerSpaceAfterComma  Kind = "header_space_after_comma"
	headerPrefixUnexpected Kind = "header_prefix_unexpected"
	headerQuoted           Kind = "header_quoted"
	headerWhitespace       Kind = "header_whitespace"
	headerCombined         Kind = "header_multiple_values_combined"
	signatureCase          Kind = "signature_case"
	signatureBase64        Kind = "signature_base64"
	signatureBase64URL     Kind = "signature_base64url"
	signatureBase64OfHex   Kind = "signature_base64_of_hex"
	signatureTruncated     Kind = "signature_truncated"
	signatureMalformed     Kind = "signature_malformed"
	algorithmMismatch      Kind = "algorithm_mismatch"

	secretEmpty              Kind = "secret_empty"
	secretWhitespaceVerifier Kind = "secret_whitespace_verifier"
	secretWhitespaceSender   Kind = "secret_whitespace_sender"
	secretQuotedVerifier     Kind = "secret_quoted_verifier"
	secretQuotedSender       Kind = "secret_quoted_sender"
	secretBOMVerifier        Kind = "secret_bom_verifier"
	secretPrefixKept         Kind = "secret_prefix_kept"
	secretPrefixStripped     Kind = "secret_prefix_stripped"
	secretVersionPrefix      Kind = "secret_version_prefix"
	secretBase64Decoded      Kind = "secret_base64_decoded_by_sender"
	secretBase64Encoded      Kind = "secret_base64_encoded_by_sender"
	secretHexDecoded         Kind = "secret_hex_decoded_by_sender"
	secretHexEncoded         Kind = "secret_hex_encoded_by_sender"
	secretCaseChanged        Kind = "secret_case_changed"
	secretURLEncoded         Kind = "secret_url_encoded"
	secretTemplateEscaped    Kind = "secret_template_escaped"
	secretTruncatedSender    Kind = "secret_truncated_sender"
	secretOtherEndpoint      Kind = "secret_other_endpoint"
	secretTestLive           Kind = "secret_test_live_mixup"
	secretCLIDashboard       Kind = "secret_cli_vs_dashboard"
	secretPrevious           Kind = "secret_rotated_previous"
	secretNext               Kind = "secret_rotated_next"
	senderEmptySecret        Kind = "sender_empty_secret"
	senderPlaceholderSecret  Kind = "sender_placeholder_secret"
	secretIsAPIKey           Kind = "secret_is_api_key"

	hmacArgsSwapped       Kind = "hmac_args_swapped"
	plainHash             Kind = "plain_hash_not_hmac"
	timestampNotSigned    Kind = "timestamp_not_signed"
	timestampSigned       Kind = "timestamp_signed_unexpectedly"
	separatorWrong        Kind = "separator_wrong"
	signedContentOrder    Kind = "signed_content_order"
	bodyHashSigned        Kind = "body_hash_signed"
	urlSigned             Kind = "url_signed"
	timestampFloat        Kind = "timestamp_float_formatted"
	timestampMilliseconds Kind = "timestamp_in_milliseconds"
	timestampSecondsOfMS  Kind = "timestamp_seconds_signed_ms_sent"
	timestampMSOfSeconds  Kind = "timestamp_ms_signed_seconds_sent"
	timestampDrift        Kind = "timestamp_drift_between_sign_and_send"
	timestampNotUnix      Kind = "timestamp_not_unix"
	timestampTooOld       Kind = "timestamp_too_old"
	timestampInFuture     Kind = "timestamp_in_future"

	jsonWhitespace     Kind = "json_whitespace"
	jsonKeyOrder       Kind = "json_key_order"
	jsonUnicodeEscapes Kind = "json_unicode_escapes"
	jsonSlashEscapes   Kind = "json_slash_escapes"
	jsonHTMLEscapes    Kind = "json_html_escapes"
	jsonNumberFormat   Kind = "json_number_format"
	jsonBigint         Kind = "json_bigint_precision"
	jsonDuplicateKeys  Kind = "json_duplicate_keys"
	jsonReserialised   Kind = "json_reserialised"
	newlineAdded       Kind = "trailing_newline_added"
	newlineRemoved     Kind = "trailing_newline_removed"
	lfToCRLF           Kind = "lf_to_crlf"
	crlfToLF           Kind = "crlf_to_lf"
	bomAdded           Kind = "bom_added"
	bomRemoved         Kind = "bom_removed"
	latin1Mojibake     Kind = "latin1_mojibake"
	charsetTranscoded  Kind = "charset_transcoded"
	asciiReplacement   Kind = "ascii_replacement_signed"
	unicodeNormalised  Kind = "unicode_normalised"
	lossyDecode        Kind = "lossy_decode"
	bodyBase64Encoded  Kind = "body_base64_encoded"
	bodyCompressed     Kind = "body_still_compressed"
	encodingMismatch   Kind = "content_encoding_mismatch"
	formWrapperRemoved Kind = "form_wrapper_removed"
	formWrapperAdded   Kind = "form_wrapper_added"
	formReencoded      Kind = "form_reencoded"
	emptyBodySigned    Kind = "empty_body_signed"
	placeholderBody    Kind = "placeholder_body_signed"
	pythonRepr         Kind = "python_repr_signed"
	bytesRepr          Kind = "bytes_repr_signed"
	bodyDoubleEncoded  Kind = "body_double_encoded"
	bodyTruncated      Kind = "body_truncated"
	bodyModified       Kind = "body_modified_unknown"
	signatureOfOther   Kind = "signature_from_other_delivery"
	twoFaults          Kind = "two_faults"
	noCandidate        Kind = "no_candidate_matched"
	verified           Kind = "ok" // its explanation is nil
)

// rows are all kinds, grouped by what is at fault.
func rows() []row {
	return []row{
		{headerMissing, aboutHeader, Structural, false},
		{headerRenamed, aboutHeader, Proven, false},
		{otherProviderHeader, aboutHeader, Structural, false},
		{headerMalformed, aboutHeader, Structural, false},
		{headerTimestampMissing, aboutHeader, Structural, false},
		{schemeMismatchPlain, aboutHeader, Proven, false},
		{headerWrongVersionOnly, aboutHeader, Proven, false},
		{headerSpaceAfterComma, aboutHeader, Proven, false},
		{headerPrefixUnexpected, aboutHeader, Proven, false},
		{headerQuoted, aboutHeader, Proven, false},
		{headerWhitespace, aboutHeader, Proven, false},
		{headerCombined, aboutHeader, Proven, false},
		{signatureCase, aboutText, Proven, false},
		{signatureBase64, aboutText, Proven, false},
		{signatureBase64URL, aboutText, Proven, false},
		{signatureBase64OfHex, aboutText, Proven, false},
		{signatureTruncated, aboutText, Proven, false},
		{signatureMalformed, aboutText, Structural, false},
		{algorithmMismatch, aboutConstruction, Proven, false},

		{secretEmpty, aboutSecret, Structural, true},
		{secretWhitespaceVerifier, aboutSecret, Proven, false},
		{secretWhitespaceSender, aboutSecret, Proven, false},
		{secretQuotedVerifier, aboutSecret, Proven, false},
		{secretQuotedSender, aboutSecret, Proven, false},
		{secretBOMVerifier, aboutSecret, Proven, false},
		{secretPrefixKept, aboutSecret, Proven, false},
		{secretPrefixStripped, aboutSecret, Proven, false},
		{secretVersionPrefix, aboutSecret, Proven, false},
		{secretBase64Decoded, aboutSecret, Proven, false},
		{secretBase64Encoded, aboutSecret, Proven, false},
		{secretHexDecoded, aboutSecret, Proven, false},
		{secretHexEncoded, aboutSecret, Proven, false},
		{secretCaseChanged, aboutSecret, Proven, false},
		{secretURLEncoded, aboutSecret, Proven, false},
		{secretTemplateEscaped, aboutSecret, Proven, false},
		{secretTruncatedSender, aboutSecret, Proven, false},
		{secretOtherEndpoint, aboutSecret, Proven, false},
		{secretTestLive, aboutSecret, Proven, false},
		{secretCLIDashboard, aboutSecret, Proven, false},
		{secretPrevious, aboutSecret, Proven, false},
		{secretNext, aboutSecret, Proven, false},
		{senderEmptySecret, aboutSecret, Proven, true},
		{senderPlaceholderSecret, aboutSecret, Proven, true},
		{secretIsAPIKey, aboutSecret, Heuristic, false},

		{hmacArgsSwapped, aboutConstruction, Proven, false},
		{plainHash, aboutConstruction, Proven, true},
		{timestampNotSigned, aboutConstruction, Proven, false},
		{timestampSigned, aboutConstruction, Proven, false},
		{separatorWrong, aboutConstruction, Proven, false},
		{signedContentOrder, aboutConstruction, Proven, false},
		{bodyHashSigned, aboutConstruction, Proven, false},
		{urlSigned, aboutConstruction, Proven, false},
		{timestampFloat, aboutTime, Proven, false},
		{timestampMilliseconds, aboutTime, Proven, false},
		{timestampSecondsOfMS, aboutTime, Proven, false},
		{timestampMSOfSeconds, aboutTime, Proven, false},
		{timestampDrift, aboutTime, Proven, true},
		{timestampNotUnix, aboutTime, Proven, false},
		{timestampTooOld, aboutTime, Proven, false},
		{timestampInFuture, aboutTime, Proven, false},

		{jsonWhitespace, aboutBody, Proven, false},
		{jsonKeyOrder, aboutBody, Proven, false},
		{jsonUnicodeEscapes, aboutBody, Proven, false},
		{jsonSlashEscapes, aboutBody, Proven, false},
		{jsonHTMLEscapes, aboutBody, Proven, false},
		{jsonNumberFormat, aboutBody, Proven, false},
		{jsonBigint, aboutBody, Proven, false},
		{jsonDuplicateKeys, aboutBody, Proven, false},
		{jsonReserialised, aboutBody, Proven, false},
		{newlineAdded, aboutBody, Proven, false},
		{newlineRemoved, aboutBody, Proven, false},
		{lfToCRLF, aboutBody, Proven, false},
		{crlfToLF, aboutBody, Proven, false},
		{bomAdded, aboutBody, Proven, false},
		{bomRemoved, aboutBody, Proven, false},
		{latin1Mojibake, aboutBody, Proven, false},
		{charsetTranscoded, aboutBody, Proven, false},
		{asciiReplacement, aboutBody, Proven, false},
		{unicodeNormalised, aboutBody, Proven, false},
		{lossyDecode, aboutBody, Heuristic, false},
		{bodyBase64Encoded, aboutBody, Proven, false},
		{bodyCompressed, aboutBody, Proven, false},
		{encodingMismatch, aboutBody, Heuristic, false},
		{formWrapperRemoved, aboutBody, Proven, false},
		{formWrapperAdded, aboutBody, Proven, false},
		{formReencoded, aboutBody, Proven, false},
		{emptyBodySigned, aboutBody, Proven, false},
		{placeholderBody, aboutBody, Proven, false},
		{pythonRepr, aboutBody, Proven, false},
		{bytesRepr, aboutBody, Proven, false},
		{bodyDoubleEncoded, aboutBody, Proven, false},
		{bodyTruncated, aboutBody, Proven, false},
		{bodyModified, aboutBody, Structural, false},
		{signatureOfOther, aboutBody, Proven, false},
		{twoFaults, aboutNothing, Proven, false},
		{noCandidate, aboutNothing, None, false},
		{verified, aboutNothing, Proven, false},
	}
}

// rowOf is what is known of a kind; the zero row for another word.
func rowOf(k Kind) row {
	for _, r := range rows() {
		if r.kind == k {
			return r
		}
	}
	return row{}
}

package explain_test

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

func headerKinds() []made {
	return []made{
		{kind: "header_missing", fact: "no such header", certainty: "structural", change: inHeader("X-Nothing"), sum: macs(func(string) string { return "none" })},
		{kind: "header_missing", fact: "a blank value", certainty: "structural", value: " "},
		{kind: "header_renamed", fact: "as CGI writes it", change: inHeader("HTTP_X_KUDOS_SIGNATURE")},
		{kind: "header_renamed", fact: "one signature", profile: plainOne, change: inHeader("X-Signature")},
		{kind: "other_provider_header", fact: "a known one", certainty: "structural", change: func(in *explain.Input, d string) {
			in.Received.Header[1] = sign.Header{Name: "stripe-signature", Value: "t=1,v1=abc"}
		}},
		{kind: "header_malformed", fact: "no signature", certainty: "structural", value: "t=" + at},
		{kind: "header_malformed", fact: "no form at all", certainty: "structural", value: "nonsense"},
		{kind: "header_timestamp_missing", fact: "v1 alone", certainty: "structural", value: "v1={s}"},
		{kind: "scheme_mismatch_plain", fact: "a bare digest", content: body, value: "{s}"},
		{kind: "scheme_mismatch_plain", fact: "with a prefix", content: body, value: "sha256={s}"},
		{kind: "scheme_mismatch_plain", fact: "under v1", content: body, value: "v1={s}"},
		{kind: "header_wrong_version_only", fact: "v0", value: "t=" + at + ",v0={s}"},
		{kind: "header_wrong_version_only", fact: "sha1 with SHA-1", value: "t=" + at + ",sha1={s}", sum: macOf(sha1.New)},
		{kind: "header_space_after_comma", fact: "one blank", value: "t=" + at + ", v1={s}"},
		{kind: "header_space_after_comma", fact: "a tab, and v1 first", value: "v1={s},\tt=" + at},
		{kind: "header_prefix_unexpected", fact: "sha256=", profile: plainOne, value: "sha256={s}"},
		{kind: "header_prefix_unexpected", fact: "v1:", profile: plainOne, value: "v1:{s}"},
		{kind: "header_prefix_unexpected", fact: "inside v1", value: "t=" + at + ",v1=sha256={s}"},
		{kind: "header_quoted", fact: "the value", value: `"t=` + at + `,v1={s}"`},
		{kind: "header_quoted", fact: "the digest", profile: plainOne, value: `"{s}"`},
		{kind: "header_whitespace", fact: "at the end", profile: plainOne, value: "{s} "},
		{kind: "header_whitespace", fact: "at the start", value: " t=" + at + ",v1={s}"},
		{kind: "header_multiple_values_combined", fact: "two lines", change: func(in *explain.Input, d string) {
			h := in.Received.Header[1]
			in.Received.Header = append(in.Received.Header, sign.Header{Name: h.Name, Value: "t=1759990000,v1=" + mac("x", "y")})
		}},
		{kind: "header_multiple_values_combined", fact: "joined", profile: plainOne, value: strings.Repeat("0", 64) + ", {s}"},
		{kind: "header_multiple_values_combined", fact: "joined, a time each", value: "t=1759990000,v1=" + strings.Repeat("0", 64) + ", t=" + at + ",v1={s}"},
		{kind: "signature_case", fact: "upper", sum: macs(strings.ToUpper)},
		{kind: "signature_base64", fact: "standard", sum: macs(in64)},
		{kind: "signature_base64url", fact: "unpadded", sum: macs(func(d string) string { return base64.RawURLEncoding.EncodeToString([]byte(raw(d))) })},
		{kind: "signature_base64url", fact: "padded", content: at + "." + `{"n":3}`, body: `{"n":3}`, sum: macs(func(d string) string { return base64.URLEncoding.EncodeToString([]byte(raw(d))) })},
		{kind: "signature_base64_of_hex", fact: "twice", sum: macs(func(d string) string { return base64.StdEncoding.EncodeToString([]byte(d)) })},
		{kind: "signature_truncated", fact: "16 digits", sum: macs(func(d string) string { return d[:16] })},
		{kind: "signature_truncated", fact: "63 digits", sum: macs(func(d string) string { return d[:63] })},
		{kind: "signature_malformed", fact: "too little to prove", certainty: "structural", sum: macs(func(d string) string { return d[:15] })},
		{kind: "signature_malformed", fact: "a token", certainty: "structural", profile: plainOne, value: "Bearer abc"},
		{kind: "algorithm_mismatch", fact: "SHA-1", sum: macOf(sha1.New)},
		{kind: "algorithm_mismatch", fact: "SHA-224", sum: macOf(sha256.New224)},
		{kind: "algorithm_mismatch", fact: "SHA-384", sum: macOf(sha512.New384)},
		{kind: "algorithm_mismatch", fact: "SHA-512", sum: macOf(sha512.New)},
		{kind: "algorithm_mismatch", fact: "MD5", sum: macOf(md5.New)},
	}
}

func secretKinds() []made {
	return []made{
		{kind: "secret_empty", fact: "blank", certainty: "structural", secret: " \n", key: "x"},
		{kind: "secret_whitespace_verifier", fact: "a newline", secret: k + "\n", key: k},
		{kind: "secret_whitespace_verifier", fact: "CR and LF", secret: k + "\r\n", key: k},
		{kind: "secret_whitespace_verifier", fact: "both ends", secret: " " + k + " ", key: k},
		{kind: "secret_whitespace_sender", fact: "a newline", key: k + "\n"},
		{kind: "secret_whitespace_sender", fact: "CR and LF", key: k + "\r\n"},
		{kind: "secret_quoted_verifier", fact: "single", secret: "'" + k + "'", key: k},
		{kind: "secret_quoted_verifier", fact: "double, then a newline", secret: `"` + k + "\"\n", key: k},
		{kind: "secret_quoted_sender", fact: "double", key: `"` + k + `"`},
		{kind: "secret_bom_verifier", fact: "a BOM", secret: "\ufeff" + k, key: k},
		{kind: "secret_prefix_kept", fact: "whsec_", secret: "whsec_" + k, key: k},
		{kind: "secret_prefix_stripped", fact: "whsec_", key: "whsec_" + k},
		{kind: "secret_version_prefix", fact: "as text", secret: "v1," + word, key: word},
		{kind: "secret_version_prefix", fact: "decoded", secret: "v1," + word, key: "hookctl demo signing key 000001"},
		{kind: "secret_base64_decoded_by_sender", fact: "with a prefix", secret: word, key: "hookctl demo signing key 000001"},
		{kind: "secret_base64_decoded_by_sender", fact: "without", secret: word[6:], key: "hookctl demo signing key 000001"},
		{kind: "secret_base64_encoded_by_sender", fact: "padded", key: base64.StdEncoding.EncodeToString([]byte(k))},
		{kind: "secret_hex_decoded_by_sender", fact: "hex", secret: "0a1b2c3d4e5f60718293a4b5c6d7e8f9", key: raw("0a1b2c3d4e5f60718293a4b5c6d7e8f9")},
		{kind: "secret_hex_encoded_by_sender", fact: "lower", key: hex.EncodeToString([]byte(k))},
		{kind: "secret_case_changed", fact: "upper", key: strings.ToUpper(k)},
		{kind: "secret_case_changed", fact: "lower", secret: "Hookctl-Demo", key: "hookctl-demo"},
		{kind: "secret_url_encoded", fact: "by the sender", secret: "a+b/c=d&e", key: url.QueryEscape("a+b/c=d&e")},
		{kind: "secret_url_encoded", fact: "by the receiver", secret: "a%2Bb%2Fc", key: "a+b/c"},
		{kind: "secret_url_encoded", fact: "a blank for a plus", secret: "a+b/c", key: "a b/c"},
		{kind: "secret_template_escaped", fact: "=", secret: "abcdef==", key: `abcdef\u003D\u003D`},
		{kind: "secret_template_escaped", fact: "&", secret: "abc&def", key: "abc&amp;def"},
		{kind: "secret_template_escaped", fact: "a backslash and n", secret: k + `\n`, key: k},
		{kind: "secret_truncated_sender", fact: "#", secret: "abc#def", key: "abc"},
		{kind: "secret_truncated_sender", fact: "a variable", secret: "abc$def-ghi", key: "abc-ghi"},
		{kind: "secret_other_endpoint", fact: "another name", key: "other", change: named("billing", "other")},
		{kind: "secret_test_live_mixup", fact: "test", key: "other", change: named("test", "other")},
		{kind: "secret_test_live_mixup", fact: "live", key: "other", change: named("live", "other")},
		{kind: "secret_cli_vs_dashboard", fact: "cli", key: "other", change: named("cli", "other")},
		{kind: "secret_rotated_previous", fact: "previous", key: "other", change: named("previous", "other")},
		{kind: "secret_rotated_next", fact: "next", key: "other", change: named("next", "other")},
		{kind: "sender_empty_secret", fact: "empty", key: "-"},
		{kind: "sender_placeholder_secret", fact: "undefined", key: "undefined"},
		{kind: "sender_placeholder_secret", fact: "changeme", key: "changeme"},
		{kind: "secret_is_api_key", fact: "sk_", certainty: "heuristic", secret: "sk_live_abcdef", key: "unknown"},
	}
}

func constructionKinds() []made {
	return []made{
		{kind: "hmac_args_swapped", fact: "the signed text", sum: func(key, content string) string { return mac(content, key) }},
		{kind: "hmac_args_swapped", fact: "the body", sum: func(key, content string) string { return mac(body, key) }},
		{kind: "plain_hash_not_hmac", fact: "secret first", sum: sumOf, content: k + body},
		{kind: "plain_hash_not_hmac", fact: "secret last", sum: sumOf, content: body + k},
		{kind: "plain_hash_not_hmac", fact: "no secret", sum: sumOf, content: body},
		{kind: "timestamp_not_signed", fact: "body alone", content: body},
		{kind: "timestamp_signed_unexpectedly", fact: "a header", profile: plainOne, content: at + "." + body, change: header("X-Kustomer-Timestamp", at)},
		{kind: "timestamp_signed_unexpectedly", fact: "with a colon", profile: plainOne, content: at + ":" + body, change: header("X-Request-Timestamp", at)},
		{kind: "separator_wrong", fact: "none", content: at + body},
		{kind: "separator_wrong", fact: "colon", content: at + ":" + body},
		{kind: "separator_wrong", fact: "newline", content: at + "\n" + body},
		{kind: "separator_wrong", fact: "v0", content: "v0:" + at + ":" + body},
		{kind: "separator_wrong", fact: "t=", content: "t=" + at + "." + body},
		{kind: "signed_content_order", fact: "dot", content: body + "." + at},
		{kind: "signed_content_order", fact: "nothing between", content: body + at},
		{kind: "body_hash_signed", fact: "hex", content: at + "." + sumOf("", body)},
		{kind: "body_hash_signed", fact: "without a time", profile: plainOne, content: sumOf("", body)},
		{kind: "url_signed", fact: "as given", profile: plainOne, content: "https://a.example/hooks" + body, change: func(in *explain.Input, d string) { in.Received.URL = "https://a.example/hooks" }},
		{kind: "url_signed", fact: "another scheme and a slash", profile: plainOne, content: "https://a.example/hooks/" + body, change: func(in *explain.Input, d string) { in.Received.URL = "http://a.example:8080/hooks" }},
		{kind: "timestamp_float_formatted", fact: ".0", content: at + ".0." + body},
		{kind: "timestamp_in_milliseconds", fact: "13 digits", content: at + "123." + body, value: "t=" + at + "123,v1={s}"},
		{kind: "timestamp_seconds_signed_ms_sent", fact: "cut", value: "t=" + at + "789,v1={s}"},
		{kind: "timestamp_ms_signed_seconds_sent", fact: "another second's part", content: at + "789." + body},
		{kind: "timestamp_drift_between_sign_and_send", fact: "later", content: "1760000001." + body},
		{kind: "timestamp_drift_between_sign_and_send", fact: "600 s", content: "1759999388." + body},
		{kind: "no_candidate_matched", fact: "601 s", certainty: "none", content: "1759999387." + body},
		{kind: "timestamp_not_unix", fact: "ISO", content: "2025-10-09T08:53:08Z." + body, value: "t=2025-10-09T08:53:08Z,v1={s}"},
		{kind: "timestamp_not_unix", fact: "a float", content: at + ".5." + body, value: "t=" + at + ".5,v1={s}"},
		{kind: "timestamp_too_old", fact: "301 s", content: "1759999699." + body, value: "t=1759999699,v1={s}"},
		{kind: "timestamp_in_future", fact: "301 s", content: "1760000301." + body, value: "t=1760000301,v1={s}"},
		{kind: "signature_from_other_delivery", fact: "its body", content: at + `.{"id":"evt_42"}`, change: func(in *explain.Input, d string) {
			in.Others = []sign.Received{{Body: []byte(`{"id":"evt_42"}`)}}
		}},
		{kind: "signature_from_other_delivery", fact: "its body and time", content: "1759990000." + `{"id":"evt_42"}`, change: func(in *explain.Input, d string) {
			in.Others = []sign.Received{{Body: []byte(`{"id":"evt_42"}`), Header: []sign.Header{{Name: "X-Kudos-Signature", Value: "t=1759990000,v1=" + d}}}}
		}},
		{kind: "two_faults", fact: "quotes and base64", secret: `"` + k + `"`, key: k, sum: macs(in64)},
		{kind: "two_faults", fact: "a newline and a layout", secret: k + "\n", key: k, content: at + `.{"id": "evt_41", "type": "invoice.paid", "amount": 1250}`},
		{kind: "two_faults", fact: "a prefix and no time", secret: word, key: word[6:], content: body},
		{kind: "two_faults", fact: "a newline and upper case", content: at + "." + body + "\n", sum: macs(strings.ToUpper)},
		{kind: "two_faults", fact: "another secret and a body", key: "other", content: at + "." + body + "\n", change: named("test", "other")},
		{kind: "no_candidate_matched", fact: "another secret", certainty: "none", key: "some-unrelated-key"},
	}
}

func bodyKinds() []made {
	signed := func(kind explain.Kind, fact, received, signed string) made {
		return made{kind: kind, fact: fact, body: received, content: at + "." + signed}
	}
	perhaps := func(kind explain.Kind, certainty explain.Certainty, fact, received string, change func(in *explain.Input, d string)) made {
		return made{kind: kind, fact: fact, certainty: certainty, body: received, content: "lost", change: change}
	}
	return []made{
		signed("json_whitespace", "indented", body, "{\n  \"id\": \"evt_41\",\n  \"type\": \"invoice.paid\",\n  \"amount\": 1250\n}"),
		signed("json_whitespace", "with CRLF", `{"a":[1,{}]}`, "{\r\n    \"a\": [\r\n        1,\r\n        {}\r\n    ]\r\n}"),
		signed("json_whitespace", "compact", "{ \"a\" : 1 }\n", `{"a":1}`),
		signed("json_key_order", "sorted", `{"b":1,"a":{"d":1,"c":2}}`, `{"a":{"c":2,"d":1},"b":1}`),
		signed("json_key_order", "any", `{"b":1,"a":2,"d":3,"c":4}`, `{"c":4,"b":1,"d":3,"a":2}`),
		signed("json_key_order", "any, layout kept", "{\n \"b\": 1,\n \"a\": 2,\n \"c\": 4\n}", "{\n \"b\": 1,\n \"c\": 4,\n \"a\": 2\n}"),
		signed("json_unicode_escapes", "to escapes", `{"a":"é"}`, `{"a":"\u00e9"}`),
		signed("json_unicode_escapes", "upper case", `{"a":"\u00e9"}`, `{"a":"\u00E9"}`),
		signed("json_unicode_escapes", "a pair", `{"a": "😀"}`, `{"a": "\ud83d\ude00"}`),
		signed("json_slash_escapes", "to escapes", `{"a": "x/y"}`, `{"a": "x\/y"}`),
		signed("json_slash_escapes", "from escapes", `{"a":"x\/y"}`, `{"a":"x/y"}`),
		signed("json_html_escapes", "Go", `{"a":"<&>"}`, `{"a":"\u003c\u0026\u003e"}`),
		signed("json_html_escapes", "Gson", `{"a":"x='y'"}`, `{"a":"x\u003d\u0027y\u0027"}`),
		signed("json_html_escapes", "plain", `{"a":"\u003Cb\u003E"}`, `{"a":"<b>"}`),
		signed("json_number_format", "1.0", `{"a": 1.0,"b": 2.50}`, `{"a": 1,"b": 2.5}`),
		signed("json_number_format", "1e2", `{"a":1e2}`, `{"a":100}`),
		signed("json_number_format", "100", `{"a":100}`, `{"a":1e2}`),
		signed("json_number_format", "some", `{"a":1,"b":2,"c":3}`, `{"a":1.0,"b":2,"c":3.0}`),
		signed("json_bigint_precision", "one", `{"a":9007199254740992}`, `{"a":9007199254740993}`),
		signed("json_bigint_precision", "as a double", `{"a":1.2345678901234568e+17}`, `{"a":123456789012345677}`),
		perhaps("json_bigint_precision", "heuristic", "two", `{"a":9007199254740992,"b":9007199254740996}`, nil),
		signed("json_duplicate_keys", "the last", `{"a":1,"a":2}`, `{"a":2}`),
		signed("json_duplicate_keys", "the first", `{"x":{"a":1,"b":0,"a":2}}`, `{"x":{"a":1,"b":0}}`),
		signed("json_reserialised", "PHP", `{"a": "x/é", "b": {}}`, `{"a":"x\/\u00e9","b":[]}`),
		signed("json_reserialised", "Go map", `{"b": "<", "a": 1.0}`, `{"a":1,"b":"\u003c"}`),
		signed("trailing_newline_added", "LF", body+"\n", body),
		signed("trailing_newline_added", "CRLF", body+"\r\n", body),
		signed("trailing_newline_removed", "LF", body, body+"\n"),
		signed("trailing_newline_removed", "CRLF", body, body+"\r\n"),
		signed("lf_to_crlf", "text", "a\r\nb\r\n", "a\nb\n"),
		signed("crlf_to_lf", "text", "a\nb\n", "a\r\nb\r\n"),
		signed("bom_added", "UTF-8", "\ufeff"+body, body),
		signed("bom_removed", "UTF-8", body, "\ufeff"+body),
		signed("latin1_mojibake", "latin-1", "ZoÃ«", "Zoë"),
		signed("latin1_mojibake", "windows-1252", "â‚¬", "€"),
		signed("charset_transcoded", "to latin-1", "Zoë", "Zo\xeb"),
		signed("charset_transcoded", "from latin-1", "Zo\xeb", "Zoë"),
		signed("charset_transcoded", "UTF-16", "ab", "a\x00b\x00"),
		signed("ascii_replacement_signed", "one each", "ë🥇", "??"),
		signed("ascii_replacement_signed", "two above U+FFFF", "ë🥇", "???"),
		signed("unicode_normalised", "NFD", "Zoë", "Zoe\u0308"),
		signed("unicode_normalised", "NFC", "Zoe\u0308", "Zoë"),
		perhaps("lossy_decode", "heuristic", "U+FFFD", "Zo\ufffd", nil),
		signed("body_base64_encoded", "text", base64.StdEncoding.EncodeToString([]byte(body)), body),
		signed("body_still_compressed", "gzip", zipped(body), body),
		perhaps("content_encoding_mismatch", "heuristic", "gzip", body, header("Content-Encoding", "gzip")),
		signed("form_wrapper_removed", "payload", body, "payload="+url.QueryEscape(body)),
		signed("form_wrapper_added", "payload", "payload="+url.QueryEscape(body), body),
		signed("form_reencoded", "plus", "a=x+y", "a=x%20y"),
		signed("form_reencoded", "lower case", "a=x%2Fy", "a=x%2fy"),
		signed("empty_body_signed", "empty", body, ""),
		signed("placeholder_body_signed", "an object", body, "[object Object]"),
		signed("placeholder_body_signed", "{}", body, "{}"),
		signed("python_repr_signed", "a dict", `{"a":true,"b":[null,"it's"],"c":"é\n"}`, `{'a': True, 'b': [None, "it's"], 'c': 'é\n'}`),
		signed("bytes_repr_signed", "bytes", "é'\n", `b"\xc3\xa9'\n"`),
		signed("body_double_encoded", "twice", body, `"{\"id\":\"evt_41\",\"type\":\"invoice.paid\",\"amount\":1250}"`),
		signed("body_truncated", "a brace", body[:len(body)-1], body),
		signed("body_truncated", "in a string", `{"a":["x`, `{"a":["x"]}`),
		perhaps("body_modified_unknown", "structural", "shorter", body, header("Content-Length", "99")),
	}
}

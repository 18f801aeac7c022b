{{/* Variables of the image. Secrets are in files, not here. */}}
{{- define "rivulet.environment" -}}
{{- $external := .Values.external -}}
- name: KAFKA_LISTENERS
  value: CLIENT://:{{ .Values.client.port }}{{ if $external.enabled }},EXTERNAL://:{{ $external.port }}{{ end }}
- name: KAFKA_ADVERTISED_LISTENERS
  value: CLIENT://{{ include "rivulet.address" . }}:{{ .Values.client.port }}{{ if $external.enabled }},EXTERNAL://{{ $external.host }}:{{ $external.port }}{{ end }}
- name: KAFKA_LISTENER_SECURITY_PROTOCOL_MAP
  value: CLIENT:{{ .Values.client.protocol }}{{ if $external.enabled }},EXTERNAL:{{ $external.protocol }}{{ end }}
- name: KAFKA_RIVULET_HTTP_LISTENER
  value: ":9644"
- name: RIVULET_LOG_LEVEL
  value: {{ .Values.log.level | quote }}
- name: KAFKA_RIVULET_LOG_FORMAT
  value: {{ .Values.log.format | quote }}
{{- with .Values.topics }}
- name: KAFKA_CREATE_TOPICS
  value: {{ join "," . | quote }}
{{- end }}
{{- with .Values.heap }}
- name: KAFKA_HEAP_OPTS
  value: -Xms48m -Xmx{{ . }}
{{- end }}
- name: RIVULET_OPTS
  value: {{ printf "-XX:MaxDirectMemorySize=%s %s" (include "rivulet.directMemory" .) .Values.javaOptions | trim | quote }}
{{- if .Values.console.enabled }}
- name: KAFKA_RIVULET_CONSOLE_LISTENER
  value: localhost:9645
- name: KAFKA_RIVULET_CONSOLE_WRITES
  value: {{ .Values.console.writes | quote }}
{{- end }}
{{- if include "rivulet.usesTls" . }}
{{- include "rivulet.tlsEnvironment" . }}
{{- end }}
{{- if include "rivulet.usesSasl" . }}
- name: KAFKA_SASL_ENABLED_MECHANISMS
  value: {{ join "," .Values.auth.mechanisms }}
- name: KAFKA_RIVULET_USERS_FILENAME
  value: users
{{- end }}
{{- if .Values.auth.acls }}
- name: KAFKA_AUTHORIZER_CLASS_NAME
  value: org.apache.kafka.metadata.authorizer.StandardAuthorizer
- name: KAFKA_SUPER_USERS
  value: {{ printf "User:%s" (join ";User:" .Values.auth.superUsers) | quote }}
{{- end }}
{{- end -}}

{{- define "rivulet.tlsEnvironment" -}}
{{- $tls := .Values.tls }}
{{- if eq $tls.mode "selfSigned" }}
- name: KAFKA_RIVULET_TLS
  value: self-signed
{{- else }}
- name: KAFKA_SSL_KEYSTORE_TYPE
  value: {{ ternary "PKCS12" "PEM" (eq $tls.mode "pkcs12") }}
{{- if eq $tls.mode "tlsSecret" }}
- name: KAFKA_SSL_KEYSTORE_KEY_FILENAME
  value: tls.key
- name: KAFKA_SSL_KEYSTORE_CERTIFICATE_CHAIN_FILENAME
  value: tls.crt
{{- else }}
- name: KAFKA_SSL_KEYSTORE_FILENAME
  value: keys
{{- end }}
{{- if eq $tls.mode "pkcs12" }}
- name: KAFKA_SSL_KEYSTORE_CREDENTIALS
  value: password
{{- end }}
{{- end }}
- name: KAFKA_SSL_CLIENT_AUTH
  value: {{ $tls.clientAuth | quote }}
{{- if ne $tls.clientAuth "none" }}
- name: KAFKA_SSL_TRUSTSTORE_TYPE
  value: PEM
- name: KAFKA_SSL_TRUSTSTORE_FILENAME
  value: trusted
{{- end }}
{{- end -}}

{{/* The files in /etc/kafka/secrets. */}}
{{- define "rivulet.secretSources" -}}
{{- $tls := .Values.tls -}}
{{- if include "rivulet.usesSasl" . }}
- secret:
    name: {{ include "rivulet.usersSecret" . | quote }}
    items:
      - {key: {{ .Values.auth.key | quote }}, path: users}
{{- end }}
{{- if include "rivulet.usesTls" . }}
{{- if eq $tls.mode "tlsSecret" }}
- secret:
    name: {{ $tls.secret | quote }}
    items:
      - {key: tls.crt, path: tls.crt}
      - {key: tls.key, path: tls.key}
{{- else if ne $tls.mode "selfSigned" }}
- secret:
    name: {{ $tls.secret | quote }}
    items:
      - {key: {{ include "rivulet.tlsFile" . | quote }}, path: keys}
{{- end }}
{{- if eq $tls.mode "pkcs12" }}
- secret:
    name: {{ $tls.password.secret | quote }}
    items:
      - {key: {{ $tls.password.key | quote }}, path: password}
{{- end }}
{{- if ne $tls.clientAuth "none" }}
- secret:
    name: {{ $tls.trust.secret | default $tls.secret | quote }}
    items:
      - {key: {{ $tls.trust.file | quote }}, path: trusted}
{{- end }}
{{- end }}
{{- end -}}
